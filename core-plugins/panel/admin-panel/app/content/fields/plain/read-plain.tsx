import { numberText } from '../../../ground/i18n/number-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { VisuallyHidden } from '../../../ground/kit/visually-hidden/visually-hidden.tsx'
import { formatDay, formatMoment } from '../../list/cells/format.ts'
import type { ReadValueProps } from '../../schema/field-kinds.ts'
import { pointText } from '../../schema/point-text.ts'
import { useWriting } from '../use-writing.ts'

/** An application may have stored any type of value. */
const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** A text that editors have written, in the language of the entry. */
export function ReadText({ path, value }: ReadValueProps) {
  return <div {...useWriting(path)}>{textOf(value)}</div>
}

/** A text without a language, such as an address or the name of an option. */
export const ReadWord = ({ value }: ReadValueProps) => <bdi>{textOf(value)}</bdi>
export const ReadNumber = ({ value }: ReadValueProps) => numberText(textOf(value))
export const ReadBoolean = ({ value }: ReadValueProps) => t(value === true ? 'entry.yes' : 'entry.no')
export const ReadDay = ({ value }: ReadValueProps) => formatDay(textOf(value))
export const ReadMoment = ({ value }: ReadValueProps) => formatMoment(textOf(value))
export const ReadPoint = ({ value }: ReadValueProps) => pointText(value)

/** Links to an address in a new tab; values that are not web addresses are shown as text. */
export function ReadAddress({ value }: ReadValueProps) {
  const address = textOf(value)
  if (!/^https?:\/\//i.test(address)) return address
  return (
    <a href={address} target="_blank" rel="noreferrer">
      {address}
    </a>
  )
}

/** Shows that a password is set, without revealing its length. */
export function ReadPassword() {
  return (
    <>
      <span aria-hidden="true">••••••••</span>
      <VisuallyHidden>{t('entry.notShown')}</VisuallyHidden>
    </>
  )
}
