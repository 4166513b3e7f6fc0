import { useState, useSyncExternalStore } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Dialog } from '../../../ground/kit/dialog/dialog.tsx'
import { useEntrySession } from '../entry-session.ts'
import { type Choice, resolve } from '../merge/merge-entry.ts'
import type { MergedEntry } from '../save/saving.ts'
import { idle } from '../save/saving.ts'
import classes from './conflict.module.css'
import { ConflictChoice } from './conflict-choice.tsx'

/** Asks which values to keep where another user has changed the same fields. Fields without a conflict are not shown. */
export function ConflictDialog() {
  const { saving } = useEntrySession()
  const state = useSyncExternalStore(saving.subscribe, saving.get)
  return state.kind === 'conflict' ? <Conflicts merge={state.merge} /> : null
}

function Conflicts({ merge }: { readonly merge: MergedEntry }) {
  const { store, saving, save } = useEntrySession()
  const { values, conflicts, theirs } = merge
  const [choices, setChoices] = useState<readonly (Choice | undefined)[]>(conflicts.map(() => undefined))
  const decided = choices.filter((choice) => choice !== undefined)
  const later = () => saving.set(idle)

  function decide() {
    saving.set(idle)
    store.rebase({ base: theirs.entry, values: resolve(values, conflicts, decided), saved: theirs })
    void save()
  }

  return (
    <Dialog
      title={t('entry.conflictTitle')}
      isOpen
      size="l"
      onClose={later}
      actions={
        <>
          <Button onPress={later}>{t('entry.conflictLater')}</Button>
          <Button look="primary" isDisabled={decided.length < conflicts.length} onPress={decide}>
            {t('entry.conflictSave')}
          </Button>
        </>
      }
    >
      <div className={classes.conflicts}>
        <p>{t('entry.conflictText', { count: conflicts.length })}</p>
        {conflicts.map((conflict, index) => (
          <ConflictChoice
            key={conflict.path}
            conflict={conflict}
            values={values}
            choice={choices[index]}
            onChoose={(choice) => setChoices(choices.map((each, at) => (at === index ? choice : each)))}
          />
        ))}
      </div>
    </Dialog>
  )
}
