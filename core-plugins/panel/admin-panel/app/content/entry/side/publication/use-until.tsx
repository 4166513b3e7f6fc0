import { type ReactNode, useState } from 'react'
import { useAccess } from '../../../../ground/access/access.ts'
import { minuteText, momentOf } from '../../../../ground/i18n/local-time.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Checkbox } from '../../../../ground/kit/checkbox/checkbox.tsx'
import { unpublishAtOf } from './publication.ts'
import type { SavedEntry } from './publication-requests.ts'
import { isAfter, UntilInput } from './until-input.tsx'

/** The time at which to unpublish an entry, chosen when publishing it. */
export interface Until {
  readonly input: ReactNode
  readonly isReady: boolean
  /** The member to send with the request; empty if the time is unchanged. */
  readonly sent: { readonly unpublishAt?: string | null }
}

const dayMs = 24 * 60 * 60_000

/**
 * The state of that input.
 * @param from when the entry becomes public; by default now
 */
export function useUntil({ saved }: SavedEntry, from = new Date()): Until {
  const access = useAccess()
  const stored = unpublishAtOf(saved.entry)
  // A time in the past belongs to an earlier publication.
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
