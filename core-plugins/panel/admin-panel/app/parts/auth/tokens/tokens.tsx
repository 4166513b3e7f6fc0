import { useState } from 'react'
import type { ApiToken, IssuedToken } from '../../../../../../../client/admin.ts'
import { type Access, useAccess } from '../../../ground/access/access.ts'
import { admin } from '../../../ground/api/admin.ts'
import { momentText } from '../../../ground/i18n/moment-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Badge } from '../../../ground/kit/badge/badge.tsx'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Page } from '../../../ground/kit/page/page.tsx'
import { Facts, Moment } from '../../../ground/kit/resource-list/facts.tsx'
import type { ResourceColumn, RowAction } from '../../../ground/kit/resource-list/resource.ts'
import { ResourceList } from '../../../ground/kit/resource-list/resource-list.tsx'
import { SecretDialog } from '../secret-dialog.tsx'
import { RotationDialog } from './rotation-dialog.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { resource } from './token-resource.ts'
import classes from './tokens.module.css'

/** The API tokens. */
export default function TokensScreen() {
  const access = useAccess()
  const mayWrite = access.mayArea('tokens', 'write')
  const [isAdding, setAdding] = useState(false)
  const [issued, setIssued] = useState<IssuedToken>()
  const [rotating, setRotating] = useState<ApiToken>()
  const add = () => setAdding(true)
  return (
    <Page
      title={t('people.tokens.title')}
      actions={
        mayWrite && (
          <Button look="primary" icon="plus" onPress={add}>
            {t('people.tokens.add')}
          </Button>
        )
      }
    >
      <ResourceList<ApiToken>
        label={t('people.tokens.title')}
        resource={resource}
        columns={columns()}
        nameOf={({ name }) => name}
        detailOf={(token) => <TokenDetail token={token} access={access} />}
        empty={{ icon: 'key-round', title: t('people.tokens.empty'), text: t('people.tokens.emptyText') }}
        {...(mayWrite ? { actionsOf: (token: ApiToken) => actionsOf(token, setRotating) } : {})}
      />
      {isAdding && <TokenDialog onIssued={setIssued} onClose={() => setAdding(false)} />}
      {rotating !== undefined && (
        <RotationDialog token={rotating} onIssued={setIssued} onClose={() => setRotating(undefined)} />
      )}
      {issued !== undefined && (
        <SecretDialog
          title={t('people.tokens.issuedTitle', { name: issued.name })}
          hint={t('people.tokens.issuedHint')}
          secret={issued.token}
          onClose={() => setIssued(undefined)}
        />
      )}
    </Page>
  )
}

const columns = (): readonly ResourceColumn<ApiToken>[] => [
  { id: 'name', label: t('people.tokens.name'), cell: (token) => <TokenName token={token} /> },
  {
    id: 'scopes',
    label: t('people.tokens.scopes'),
    cell: ({ scopes }) => <ScopeSummary scopes={scopes} />,
    isSecondary: true,
  },
  { id: 'used', label: t('people.tokens.lastUsed'), cell: (token) => <LastUse token={token} /> },
  {
    id: 'expires',
    label: t('people.tokens.expires'),
    cell: (token) => <Expiry token={token} />,
    isSecondary: true,
  },
]

function TokenName({ token: { name, former_values: former } }: { readonly token: ApiToken }) {
  if (former.length === 0) return name
  return (
    <span className={classes.soon}>
      {name} <Badge tone="info">{t('people.tokens.rotating', { count: former.length })}</Badge>
    </span>
  )
}

const shownScopes = 3

function ScopeSummary({ scopes }: Pick<ApiToken, 'scopes'>) {
  const others = scopes.length - shownScopes
  return (
    <span className={classes.scopes}>
      {scopes.slice(0, shownScopes).map((scope) => (
        <code key={scope}>{scope}</code>
      ))}
      {others > 0 && <span>{t('people.tokens.moreScopes', { count: others })}</span>}
    </span>
  )
}

function LastUse({ token: { last_used_at: at } }: { readonly token: ApiToken }) {
  return at === null ? t('people.tokens.never') : <Moment at={at} />
}

/** In milliseconds: tokens that expire within this time are marked; the service also raises an alert. */
const soonMs = 14 * 86_400_000

function Expiry({ token: { expiresAt } }: { readonly token: ApiToken }) {
  if (expiresAt === null) return t('people.tokens.noExpiry')
  const leftMs = Date.parse(expiresAt) - Date.now()
  if (leftMs < 0) return <Badge tone="danger">{t('people.tokens.expired')}</Badge>
  if (leftMs > soonMs) return <Moment at={expiresAt} />
  return (
    <span className={classes.soon}>
      <Moment at={expiresAt} /> <Badge tone="warning">{t('people.tokens.expiresSoon')}</Badge>
    </span>
  )
}

/** Former values that are still valid, and whether they are still used. */
function FormerValues({ values }: { readonly values: ApiToken['former_values'] }) {
  return (
    <ul className={classes.former}>
      {values.map(({ valid_until, last_used_at }) => (
        <li key={valid_until}>
          {t('people.tokens.formerUntil', { moment: momentText(valid_until) })}
          {' – '}
          {last_used_at === null
            ? t('people.tokens.formerUnused')
            : t('people.tokens.formerUsed', { moment: momentText(last_used_at) })}
        </li>
      ))}
    </ul>
  )
}

function TokenDetail({ token, access }: { readonly token: ApiToken; readonly access: Access }) {
  const isOwn = token.made_by === `admin:${access.user.id}`
  return (
    <Facts
      facts={[
        [t('people.roles.description'), token.description],
        [
          t('people.tokens.scopes'),
          <span key="scopes" className={classes.scopes}>
            {token.scopes.map((scope) => (
              <code key={scope}>{scope}</code>
            ))}
          </span>,
        ],
        [t('people.tokens.lastUsed'), <LastUse key="used" token={token} />],
        [t('people.tokens.expires'), <Expiry key="expires" token={token} />],
        [
          t('people.tokens.former'),
          token.former_values.length === 0 ? null : (
            <FormerValues key="former" values={token.former_values} />
          ),
        ],
        [t('people.tokens.madeBy'), isOwn ? access.user.username : token.made_by],
        [t('people.since'), <Moment key="since" at={token.created_at} />],
      ]}
    />
  )
}

function actionsOf(token: ApiToken, onRotate: (token: ApiToken) => void): readonly RowAction[] {
  const { id, name } = token
  return [
    {
      id: 'rotate',
      label: t('people.tokens.rotate'),
      icon: 'refresh-cw',
      run: () => onRotate(token),
    },
    {
      id: 'revoke',
      label: t('people.tokens.revoke'),
      icon: 'trash-2',
      isDangerous: true,
      confirm: {
        title: t('people.tokens.revokeTitle', { name }),
        text: t('people.tokens.revokeText'),
        action: t('people.tokens.revoke'),
      },
      done: t('people.tokens.revoked', { name }),
      run: () => admin.apiTokens.delete(id),
    },
  ]
}
