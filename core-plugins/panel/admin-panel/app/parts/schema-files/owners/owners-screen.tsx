import { Suspense, useState } from 'react'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import type { ResourceColumn } from '../../../ground/kit/resource-list/resource.ts'
import { ResourceTable } from '../../../ground/kit/resource-list/resource-table.tsx'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import classes from './model-page.module.css'
import { ModelPage } from './model-page.tsx'
import type { Owner } from './owner.ts'
import { OwnerBadges } from './owner-badges.tsx'

const NewOwnerDialog = lazyPart(() => import('./new-owner-dialog.tsx'))

/** All content types, or all components. */
export function OwnersScreen({ kind }: { readonly kind: Owner['kind'] }) {
  const [isMaking, make] = useState(false)
  const title = kind === 'type' ? t('model.types') : t('model.components')
  return (
    <ModelPage
      title={() => title}
      actions={({ mayChange }) =>
        mayChange && (
          <Button look="primary" icon="plus" onPress={() => make(true)}>
            {kind === 'type' ? t('model.newType') : t('model.newComponent')}
          </Button>
        )
      }
    >
      {(model) => (
        <>
          <Owners label={title} owners={kind === 'type' ? model.types : model.components} />
          {isMaking && (
            <Suspense fallback={null}>
              <NewOwnerDialog kind={kind} model={model} onClose={() => make(false)} />
            </Suspense>
          )}
        </>
      )}
    </ModelPage>
  )
}

function Owners({ label, owners }: { readonly label: string; readonly owners: readonly Owner[] }) {
  if (owners.length === 0) return <EmptyState icon="boxes" title={t('model.none')} />
  return (
    <ResourceTable
      label={label}
      columns={columns()}
      items={owners}
      idOf={({ name }) => name}
      nameOf={({ displayName }) => displayName}
      hrefOf={({ kind, name }) => `/model/${kind}s/${name}`}
      onAction={() => undefined}
    />
  )
}

const columns = (): readonly ResourceColumn<Owner>[] => [
  {
    id: 'name',
    label: t('model.name'),
    cell: ({ displayName, name }) => (
      <span className={classes.name}>
        {displayName} <code>{name}</code>
      </span>
    ),
  },
  { id: 'state', label: t('model.kind'), cell: (owner) => <OwnerBadges owner={owner} /> },
  {
    id: 'fields',
    label: t('model.fields'),
    cell: ({ fields }) => fields.length,
    align: 'end',
    isSecondary: true,
  },
  {
    id: 'description',
    label: t('model.description'),
    cell: ({ description }) => description,
    isSecondary: true,
  },
]
