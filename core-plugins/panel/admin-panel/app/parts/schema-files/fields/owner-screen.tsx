import { Suspense, useState } from 'react'
import { useParams } from 'wouter'
import { t } from '../../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../../ground/kit/button/button.tsx'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import { Menu } from '../../../ground/kit/menu/menu.tsx'
import { lazyPart } from '../../../ground/lazy/lazy-part.ts'
import { useDraft } from '../draft/draft.ts'
import { ModelPage } from '../owners/model-page.tsx'
import type { Owner } from '../owners/owner.ts'
import { OwnerBadges } from '../owners/owner-badges.tsx'
import type { Model } from '../owners/use-model.ts'
import { FieldList } from './field-list.tsx'
import classes from './fields.module.css'
import { OwnerFacts } from './owner-facts.tsx'
import { problemsAt } from './problems.ts'
import { SchemaProblems } from './schema-problems.tsx'

const FieldDrawer = lazyPart(() => import('./field-drawer.tsx'))
const OwnerSettings = lazyPart(() => import('./owner-settings.tsx'))
const DeleteOwner = lazyPart(() => import('./delete-owner.tsx'))

/** What is open besides the fields: a field by name, a new field, the settings, or the deletion dialog. */
type Opened = { readonly field: string | undefined } | 'settings' | 'deletion'

/** The screen of a type or component: its options, its fields, and the fields that refer to it. */
export function OwnerScreen({ kind }: { readonly kind: Owner['kind'] }) {
  const { name = '' } = useParams<{ name: string }>()
  const [opened, open] = useState<Opened>()
  const find = (model: Model | undefined) =>
    (kind === 'type' ? model?.types : model?.components)?.find((each) => each.name === name)
  return (
    <ModelPage
      key={name}
      title={(model) => find(model)?.displayName ?? name}
      back={{ to: `/model/${kind}s`, label: kind === 'type' ? t('model.types') : t('model.components') }}
      aside={(model) => {
        const owner = find(model)
        return owner !== undefined && <OwnerBadges owner={owner} />
      }}
      actions={(model) => {
        const owner = find(model)
        return owner !== undefined && model.mayChange && <Actions owner={owner} onOpen={open} />
      }}
    >
      {(model) => {
        const owner = find(model)
        if (owner === undefined) return <EmptyState icon="search-x" title={t('model.gone')} />
        return (
          <>
            <OwnerBody model={model} owner={owner} onOpen={(field) => open({ field })} />
            <Suspense fallback={null}>
              {typeof opened === 'object' && (
                <FieldDrawer
                  model={model}
                  owner={owner}
                  field={opened.field}
                  onClose={() => open(undefined)}
                />
              )}
              {opened === 'settings' && (
                <OwnerSettings model={model} owner={owner} onClose={() => open(undefined)} />
              )}
              {opened === 'deletion' && (
                <DeleteOwner model={model} owner={owner} onClose={() => open(undefined)} />
              )}
            </Suspense>
          </>
        )
      }}
    </ModelPage>
  )
}

interface ActionsProps {
  readonly owner: Owner
  readonly onOpen: (opened: Opened) => void
}

/** The actions; types of other plugins can only be extended by fields. */
function Actions({ owner, onOpen }: ActionsProps) {
  return (
    <>
      {owner.content !== undefined && (
        <>
          <Menu
            label={t('model.more')}
            actions={[
              {
                id: 'delete',
                label: owner.kind === 'type' ? t('model.deleteType') : t('model.deleteComponent'),
                icon: 'trash-2',
                isDangerous: true,
                onAction: () => onOpen('deletion'),
              },
            ]}
          >
            <IconButton icon="ellipsis" label={t('model.more')} />
          </Menu>
          <Button icon="settings-2" onPress={() => onOpen('settings')}>
            {t('model.settings')}
          </Button>
        </>
      )}
      <Button look="primary" icon="plus" onPress={() => onOpen({ field: undefined })}>
        {t('model.addField')}
      </Button>
    </>
  )
}

interface OwnerBodyProps {
  readonly model: Model
  readonly owner: Owner
  readonly onOpen: (field: string) => void
}

function OwnerBody({ model, owner, onOpen }: OwnerBodyProps) {
  const problems = problemsAt(useDraft().problems, owner.path)
  return (
    <div className={classes.body}>
      {owner.description !== '' && <p>{owner.description}</p>}
      <SchemaProblems problems={problems.own} subjectOf={(pointer) => pointer} />
      <FieldList model={model} owner={owner} problems={problems.ofField} onOpen={onOpen} />
      <OwnerFacts model={model} owner={owner} />
    </div>
  )
}
