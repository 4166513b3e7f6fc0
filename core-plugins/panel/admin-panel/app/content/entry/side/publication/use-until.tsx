import { type ReactNode, useState } from 'react'
import { useAccess } from '../../../../ground/access/access.ts'
import { minuteText, momentOf } from '../../../../ground/i18n/local-time.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Checkbox } from '../../../../ground/kit/checkbox/checkbox.tsx'
import { unpublishAtOf } from './publication.ts'
import type { SavedEntry } from './publication-requests.ts'
import { isAfter, UntilInput } from './until-input.tsx'

/** Until when an entry is to be public, asked along with its publication. */
export interface Until {
  readonly input: ReactNode
  readonly isReady: boolean
  /** What the request says of it; nothing where it stays as it is. */
  readonly sent: { readonly unpublishAt?: string | null }
}

const dayMs = 24 * 60 * 60_000

/** `from` is when it becomes public; undefined: now. */
export function useUntil({ saved }: SavedEntry, from = new Date()): Until {
  const access = useAccess()
  const stored = unpublishAtOf(saved.entry)
  // A time that has passed says nothing about what is published now.
  const known = stored !== undefined && Date.parse(stored) > Date.now() ? stored : undefined
  const [time, setTime] = useState(known && minuteText(new Date(known)))
  const until = time === undefined ? undefined : momentOf(time)
  if (!access.isOn('unpublish-times')) return { input: null, isReady: true, sent: {} }
  const propose = () => minuteText(new Date(from.getTime() + dayMs))
  const isUnchanged = time === (known && minuteText(new Date(known)))
  return {
    input: (
      <>
        <Checkbox
          isSelected={time !== undefined}
          onChange={(isSelected) => setTime(isSelected ? propose() : undefined)}
        >
          {t('publication.until')}
        </Checkbox>
        {time !== undefined && <UntilInput value={time} onChange={setTime} from={from} />}
      </>
    ),
    isReady: time === undefined || (until !== undefined && isAfter(until, from)),
    sent: isUnchanged ? {} : { unpublishAt: until?.toISOString() ?? null },
  }
}
