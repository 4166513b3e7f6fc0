import { useSyncExternalStore } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { useEntrySession } from '../entry-session.ts'
import { Notice } from './notice.tsx'
import { ProblemSummary } from './problem-summary.tsx'
import { RestoredNotice } from './restored-notice.tsx'

/** Messages about the form as a whole. */
export function Notices() {
  return (
    <>
      <ReadOnly />
      <RestoredNotice />
      <Failure />
      <ProblemSummary />
    </>
  )
}

function ReadOnly() {
  const { isReadOnly } = useEntrySession()
  return isReadOnly ? <Notice tone="info">{t('entry.readOnly')}</Notice> : null
}

/** Says that saving has failed and that the changes are still in the form. */
function Failure() {
  const { saving, save } = useEntrySession()
  const state = useSyncExternalStore(saving.subscribe, saving.get)
  if (state.kind !== 'failed') return null
  return (
    <Notice
      tone="danger"
      action={
        <Button size="s" onPress={() => void save()}>
          {t('entry.saveAgain')}
        </Button>
      }
    >
      {state.message} {t('entry.nothingLost')}
    </Notice>
  )
}
