import { t } from '../../ground/i18n/translate.ts'
import type { ResourceColumn } from '../../ground/kit/resource-list/resource.ts'
import { ResourceTable } from '../../ground/kit/resource-list/resource-table.tsx'
import { type SectionName, sectionNames } from './backup.ts'
import { type ChangedPart, changedParts, hasChanges, type Restoration } from './restoration.ts'
import classes from './restore.module.css'

/** The changes that a restore would make, and the problems that prevent it. */
export function ChangeTable({ preview }: { readonly preview: Restoration }) {
  const { problems = [], replacedRoles, restartRequired } = preview
  const parts = changedParts(preview)
  return (
    <section className={classes.restore} aria-label={t('operations.backups.changes')}>
      <h3>{t('operations.backups.changes')}</h3>
      {problems.length > 0 && (
        <div role="alert" className={classes.problems}>
          <p>{t('operations.backups.problems')}</p>
          <ul>
            {problems.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                <code>{path}</code> {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {!parts.some(hasChanges) && <p>{t('operations.backups.same')}</p>}
      {restartRequired && <p>{t('operations.backups.restart')}</p>}
      {Object.entries(replacedRoles).map(([role, count]) => (
        <p key={role}>{t('operations.backups.lostRoles', { role, count })}</p>
      ))}
      <ResourceTable<ChangedPart>
        label={t('operations.backups.changes')}
        columns={columns()}
        items={parts}
        idOf={({ id }) => id}
        nameOf={partName}
        onAction={() => undefined}
      />
    </section>
  )
}

function partName({ section, part }: ChangedPart): string {
  const known = sectionNames.find((name): name is SectionName => name === section)
  const name = known === undefined ? section : t(`operations.backups.section.${known}`)
  return part === undefined ? name : `${name}: ${part}`
}

const columns = (): readonly ResourceColumn<ChangedPart>[] => [
  { id: 'part', label: t('operations.backups.part'), cell: partName },
  { id: 'added', label: t('operations.backups.added'), cell: ({ added }) => added, align: 'end' },
  { id: 'changed', label: t('operations.backups.changed'), cell: ({ changed }) => changed, align: 'end' },
  { id: 'removed', label: t('operations.backups.removed'), cell: ({ removed }) => removed, align: 'end' },
  {
    id: 'unchanged',
    label: t('operations.backups.unchanged'),
    cell: ({ unchanged }) => unchanged,
    align: 'end',
    isSecondary: true,
  },
]
