import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { Changes } from '../../content/entry/diff/changes.tsx'
import { diffEntry } from '../../content/entry/diff/diff-entry.ts'
import type { DiffLayout } from '../../content/entry/diff/text-parts.tsx'
import { useSchemaFacts } from '../../content/entry/diff/use-schema-facts.ts'
import { useEntry } from '../../content/entry/entry-session.ts'
import { RefusalNote } from '../../content/entry/side/publication/problem-list.tsx'
import type { SavedEntry } from '../../content/entry/side/publication/publication-requests.ts'
import { useAccess } from '../../ground/access/access.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { Dialog } from '../../ground/kit/dialog/dialog.tsx'
import { Select } from '../../ground/kit/field/select.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import classes from './history.module.css'
import { RestoreDialog } from './restore-dialog.tsx'
import { revisionText } from './revision-text.ts'
import { type RevisionSummary, wholeRevision } from './use-revisions.ts'

export interface CompareDialogProps {
  readonly entry: SavedEntry
  /** Newest first. */
  readonly revisions: readonly RevisionSummary[]
  /** The chosen revision; it is compared with the newest. */
  readonly first: number
  readonly onClose: () => void
}

/** Compares two revisions inline or side by side, with a button to restore the older one. */
export default function CompareDialog({ entry, revisions, first, onClose }: CompareDialogProps) {
  const [from, setFrom] = useState(first)
  const [to, setTo] = useState(revisions[0]?.id ?? first)
  const [layout, setLayout] = useState<DiffLayout>('inline')
  const [isRestoring, setRestoring] = useState(false)
  const { isReadOnly } = useEntry()
  const mayUpdate = useAccess().mayContent(entry.type.name, 'update') && !isReadOnly
  const restored = revisions.find(({ id }) => id === from)
  if (isRestoring && restored !== undefined) {
    return <RestoreDialog {...{ entry, revision: restored, onClose, onBack: () => setRestoring(false) }} />
  }
  return (
    <Dialog
      title={t('history.compareTitle')}
      size="l"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('kit.close')}</Button>
          {mayUpdate && restored !== undefined && from !== revisions[0]?.id && (
            <Button look="primary" icon="archive-restore" onPress={() => setRestoring(true)}>
              {t('history.restoreVersion', { version: restored.version })}
            </Button>
          )}
        </>
      }
    >
      <div className={classes.dialog}>
        <div className={classes.choices}>
          <Choice label={t('history.from')} value={from} onChange={setFrom} revisions={revisions} />
          <Choice label={t('history.to')} value={to} onChange={setTo} revisions={revisions} />
          <Select
            label={t('history.layout')}
            value={layout}
            onChange={(chosen) => setLayout(chosen === 'beside' ? 'beside' : 'inline')}
            options={[
              { value: 'inline', label: t('history.inline') },
              { value: 'beside', label: t('history.beside') },
            ]}
          />
        </div>
        <Comparison {...{ entry, from, to, layout }} />
      </div>
    </Dialog>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: number
  readonly onChange: (id: number) => void
  readonly revisions: readonly RevisionSummary[]
}

function Choice({ label, value, onChange, revisions }: ChoiceProps) {
  const options = revisions.map((revision) => ({ value: String(revision.id), label: revisionText(revision) }))
  return (
    <Select
      label={label}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen))}
      options={options}
    />
  )
}

interface ComparisonProps {
  readonly entry: SavedEntry
  readonly from: number
  readonly to: number
  readonly layout: DiffLayout
}

function Comparison({ entry, from, to, layout }: ComparisonProps) {
  const facts = useSchemaFacts()
  const [before, after] = useQueries({
    queries: [wholeRevision(entry, from), wholeRevision(entry, to)],
  })
  const error = before.error ?? after.error
  if (error !== null) return <RefusalNote error={error} />
  if (before.data === undefined || after.data === undefined || facts === undefined) {
    return <Skeleton lines={6} />
  }
  const { attributes } = entry.type
  const changes = diffEntry(attributes, before.data.data, after.data.data, facts.fieldsOf)
  if (changes.length === 0) return <p className={classes.quiet}>{t('history.same')}</p>
  return <Changes attributes={attributes} changes={changes} layout={layout} facts={facts} />
}
