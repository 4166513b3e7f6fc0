import { useQuery } from '@tanstack/react-query'
import { admin } from '../../../ground/api/admin.ts'
import { useContentTypes } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Checkbox } from '../../../ground/kit/checkbox/checkbox.tsx'
import { ContentTable } from '../content-table.tsx'
import classes from './tokens.module.css'

interface ScopeChoiceProps {
  readonly chosen: ReadonlySet<string>
  readonly onChange: (chosen: ReadonlySet<string>) => void
}

const contentActions = ['read', 'drafts', 'write', 'delete', 'publish'] as const
const everything = 'admin:*'

/** The scopes of a token: per content type, and for everything else. */
export function ScopeChoice({ chosen, onChange }: ScopeChoiceProps) {
  const { data: all = [] } = useQuery({
    queryKey: ['api-tokens', 'scopes'],
    queryFn: ({ signal }) => admin.apiTokens.scopes({ signal }),
  })
  const isAll = chosen.has(everything)
  const others = all.filter((scope) => scope !== everything && !scope.startsWith('content:'))
  const set = (scope: string, isChosen: boolean) => onChange(withScope(chosen, scope, isChosen))
  return (
    <>
      <Checkbox isSelected={isAll} onChange={(isChosen) => set(everything, isChosen)}>
        {t('people.tokens.everything')}
      </Checkbox>
      {!isAll && (
        <>
          <ContentScopes chosen={chosen} onSet={set} />
          <fieldset className={classes.others}>
            <legend>{t('people.tokens.others')}</legend>
            {others.map((scope) => (
              <Checkbox
                key={scope}
                isSelected={chosen.has(scope)}
                onChange={(isChosen) => set(scope, isChosen)}
              >
                <code>{scope}</code>
              </Checkbox>
            ))}
          </fieldset>
        </>
      )}
    </>
  )
}

interface ContentScopesProps {
  readonly chosen: ReadonlySet<string>
  readonly onSet: (scope: string, isChosen: boolean) => void
}

function ContentScopes({ chosen, onSet }: ContentScopesProps) {
  const types = (useContentTypes() ?? []).filter(({ system }) => !system)
  const lines = [
    { label: t('people.tokens.allTypes'), suffix: '' },
    ...types.map(({ name, info }) => ({ label: info.displayName, suffix: `:${name}` })),
  ]
  return (
    <ContentTable actions={contentActions.map(actionName)}>
      {lines.map(({ label, suffix }) => (
        <tr key={suffix}>
          <th scope="row">{label}</th>
          {contentActions.map((action) => (
            <td key={action}>
              <Checkbox
                label={t('people.roles.cell', { type: label, action: actionName(action) })}
                isSelected={chosen.has(`content:${action}`) || chosen.has(`content:${action}${suffix}`)}
                isDisabled={suffix !== '' && chosen.has(`content:${action}`)}
                onChange={(isChosen) => onSet(`content:${action}${suffix}`, isChosen)}
              />
            </td>
          ))}
        </tr>
      ))}
    </ContentTable>
  )
}

const actionName = (action: (typeof contentActions)[number]) => t(`people.tokens.actions.${action}`)

/** Adds or removes a scope. A scope for everything or for all types replaces those that it includes. */
function withScope(chosen: ReadonlySet<string>, scope: string, isChosen: boolean): ReadonlySet<string> {
  if (!isChosen) return new Set([...chosen].filter((each) => each !== scope))
  if (scope === everything) return new Set([everything])
  return new Set([...[...chosen].filter((each) => !each.startsWith(`${scope}:`)), scope])
}
