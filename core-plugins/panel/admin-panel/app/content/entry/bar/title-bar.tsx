import { useSyncExternalStore } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { useContributions } from '../../../shell/panel-part.ts'
import { type EntryAbout, isFor, type SidePanel } from '../entry-parts.ts'
import { useEntry, useEntrySession } from '../entry-session.ts'
import { SideSheet } from '../side/side-sheet.tsx'
import classes from './title-bar.module.css'
import { useSteps } from './use-steps.ts'

export interface TitleBarProps {
  readonly about: EntryAbout
  /** The side panels that open in a sheet because there is no room beside the form. */
  readonly sheetPanels: readonly SidePanel[]
}

/** The title of the open entry and the actions for the entry as a whole. */
export function TitleBar({ about, sheetPanels }: TitleBarProps) {
  const { isReadOnly } = useEntry()
  const actions = useContributions('entryActions').filter(isFor(about))
  return (
    <>
      {!isReadOnly && <Steps />}
      {sheetPanels.length > 0 && <SideSheet panels={sheetPanels} />}
      {actions.map(({ id, component: Action }) => (
        <Action key={id} />
      ))}
      {!isReadOnly && <Save />}
    </>
  )
}

function Steps() {
  const { canUndo, canRedo } = useEntry()
  const { undo, redo } = useSteps()
  return (
    <>
      <IconButton icon="undo-2" label={t('entry.undo')} isDisabled={!canUndo} onPress={undo} />
      <span className={classes.wideOnly}>
        <IconButton icon="redo-2" label={t('entry.redo')} isDisabled={!canRedo} onPress={redo} />
      </span>
    </>
  )
}

function Save() {
  const { saving, save } = useEntrySession()
  const { isDirty, saved } = useEntry()
  const { kind } = useSyncExternalStore(saving.subscribe, saving.get)
  return (
    <Button
      look="primary"
      isPending={kind === 'sending'}
      isDisabled={!isDirty && saved !== undefined}
      onPress={() => void save()}
    >
      {t('entry.save')}
    </Button>
  )
}
