import type { CheckedSchemaFiles } from '../../../../../../../client/admin.ts'
import { TextParts } from '../../../content/entry/diff/text-parts.tsx'
import { diffWords } from '../../../content/entry/diff/words.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Link } from '../../../ground/kit/link/link.tsx'
import { takeBack } from '../draft/draft.ts'
import { ownerAt } from '../draft/edit-owners.ts'
import classes from './review.module.css'
import { SyncPreview } from './sync-preview.tsx'

/** The results of a check. */
export function CheckedChanges({ checked }: { readonly checked: CheckedSchemaFiles }) {
  return (
    <div className={classes.review}>
      {checked.problems.length > 0 ? (
        <section className={`${classes.part} ${classes.problem}`} role="alert">
          <h2>{t('model.problems', { count: checked.problems.length })}</h2>
          <Problems problems={checked.problems} />
        </section>
      ) : (
        <SyncPreview changes={checked.sync.filter(({ isPending }) => !isPending)} />
      )}
      {checked.warnings.length > 0 && (
        <section className={`${classes.part} ${classes.lossy}`}>
          <h2>{t('model.warnings')}</h2>
          <Problems problems={checked.warnings} />
        </section>
      )}
      <section className={classes.part}>
        <h2>{t('model.files')}</h2>
        {checked.files.map((file) => (
          <FileDifference key={file.path} file={file} />
        ))}
      </section>
    </div>
  )
}

function Problems({ problems }: Pick<CheckedSchemaFiles, 'problems'>) {
  return (
    <ul className={classes.problems}>
      {problems.map(({ file, subject, message, remedy }) => (
        <li key={`${subject} ${message}`}>
          {file === null ? subject : <Link to={addressOf(file)}>{subject}</Link>} {message} → {remedy}
        </li>
      ))}
    </ul>
  )
}

function addressOf(path: string): string {
  const { kind, name } = ownerAt(path)
  return `/model/${kind}s/${name}`
}

function FileDifference({ file }: { readonly file: CheckedSchemaFiles['files'][number] }) {
  const { path, before, after } = file
  return (
    <article className={classes.file}>
      <h3 className={classes.heading}>
        <code>{path}</code>
        {before === null && <Badge tone="success">{t('model.new')}</Badge>}
        {after === null && <Badge tone="danger">{t('model.removed')}</Badge>}
        <Button size="s" look="plain" icon="undo-2" onPress={() => takeBack(path)}>
          {t('model.takeBack')}
        </Button>
      </h3>
      <TextParts parts={diffWords(before ?? '', after ?? '')} layout="inline" isCode />
    </article>
  )
}
