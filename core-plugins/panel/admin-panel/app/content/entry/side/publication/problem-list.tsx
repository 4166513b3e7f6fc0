import { type ErrorDetail, MortiseError } from '../../../../../../../../client/client.ts'
import { isOutdated } from '../../../../ground/api/refusal.ts'
import { errorText, problemText } from '../../../../ground/i18n/problem-text.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Icon } from '../../../../ground/kit/icon/icon.tsx'
import { usePathWords } from '../../use-path-words.ts'
import classes from './publication.module.css'

/** Lists the problems that prevent an action, each with a link to its field. */
export function ProblemList({
  title,
  problems,
  onReveal,
}: {
  readonly title: string
  readonly problems: readonly ErrorDetail[]
  readonly onReveal?: (path: string) => void
}) {
  return (
    <section className={classes.problems} role="alert">
      <h3 className={classes.problemTitle}>
        <Icon name="circle-alert" />
        {title}
      </h3>
      <ul className={classes.problemList}>
        {problems.map(({ path, code, message }) => (
          <li key={`${path} ${message}`}>
            {path === '' || onReveal === undefined ? null : <ToField path={path} onReveal={onReveal} />}
            <span>{problemText({ code, message })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface ToFieldProps {
  readonly path: string
  readonly onReveal: (path: string) => void
}

function ToField({ path, onReveal }: ToFieldProps) {
  const wordsOf = usePathWords()
  return (
    <button type="button" className={classes.toField} onClick={() => onReveal(path)}>
      {wordsOf(path)}
    </button>
  )
}

/** Shows why a request about the entry was refused. */
export function RefusalNote({
  error,
  onReveal,
}: {
  readonly error: Error
  readonly onReveal?: (path: string) => void
}) {
  const details = error instanceof MortiseError ? error.details : []
  const title = isOutdated(error) ? t('publication.outdated') : errorText(error)
  return <ProblemList title={title} problems={details} {...(onReveal === undefined ? {} : { onReveal })} />
}
