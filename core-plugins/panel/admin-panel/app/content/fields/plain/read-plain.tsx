import { numberText } from '../../../ground/i18n/number-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { VisuallyHidden } from '../../../ground/kit/visually-hidden/visually-hidden.tsx'
import { formatDay, formatMoment } from '../../list/cells/format.ts'
import type { ReadValueProps } from '../../schema/field-kinds.ts'
import { pointText } from '../../schema/point-text.ts'
import { useWriting } from '../use-writing.ts'

/** An application may have stored anything. */
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** What somebody has written, in the language of the entry. */
export function ReadText({ path, value }: ReadValueProps) {
  return <div {...useWriting(path)}>{textOf(value)}</div>
}

/** A text of no language: an address, a name of an option. */
export const ReadWord = ({ value }: ReadValueProps) => <bdi>{textOf(value)}</bdi>
export const ReadNumber = ({ value }: ReadValueProps) => numberText(textOf(value))
export const ReadBoolean = ({ value }: ReadValueProps) => t(value === true ? 'entry.yes' : 'entry.no')
export const ReadDay = ({ value }: ReadValueProps) => formatDay(textOf(value))
export const ReadMoment = ({ value }: ReadValueProps) => formatMoment(textOf(value))
export const ReadPoint = ({ value }: ReadValueProps) => pointText(value)

/** Leads to the address, in a new tab; what is no address of the web stays text. */
export function ReadAddress({ value }: ReadValueProps) {
  const address = textOf(value)
  if (!/^https?:\/\//i.test(address)) return address
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {address}
    </a>
  )
}

/** Says that there is one, and not how long it is. */
export function ReadPassword() {
  return (
    <>
      <span aria-hidden="true">••••••••</span>
      <VisuallyHidden>{t('entry.notShown')}</VisuallyHidden>
    </>
  )
}
