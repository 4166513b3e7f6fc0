import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import type { ReleaseCheck, WholeRelease } from '../../../../../../client/admin.ts'
import { admin } from '../../ground/api/admin.ts'
import { queryClient } from '../../ground/api/query-client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button, IconButton } from '../../ground/kit/button/button.tsx'
import { Confirm } from '../../ground/kit/dialog/dialog.tsx'
import { Menu } from '../../ground/kit/menu/menu.tsx'
import type { MenuAction } from '../../ground/kit/menu/menu-action.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import classes from './releases.module.css'
import { forgetAll, useReleaseChange } from './use-releases.ts'

const ReleaseDialog = lazyPart(() => import('./release-dialog.tsx'))

export interface ReleaseActionsProps {
  readonly release: WholeRelease
  readonly check: ReleaseCheck | undefined
}

type Asked = 'change' | 'publish' | 'delete'

/** The actions of a release: publishing, if the user may publish all of its entries; name, time and deletion. */
export function ReleaseActions({ release, check }: ReleaseActionsProps) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const actions: readonly MenuAction[] = [
    { id: 'change', label: t('releases.changeAsk'), icon: 'pencil', onAction: () => setAsked('change') },
    ...(release.mayDelete
      ? [
          {
            ...{ id: 'delete', label: t('releases.deleteAsk'), icon: 'trash-2', isDangerous: true },
            onAction: () => setAsked('delete'),
          },
        ]
      : []),
  ]
  return (
    <>
      <Menu label={t('releases.actions')} actions={actions}>
        <IconButton icon="ellipsis-vertical" label={t('releases.actions')} />
      </Menu>
      {release.mayPublish && (
        <Button
          look="primary"
          icon="rocket"
          isDisabled={release.entryCount === 0 || check === undefined || check.problems.length > 0}
          onPress={() => setAsked('publish')}
        >
          {t('releases.publishAsk')}
        </Button>
      )}
      {asked === 'change' && (
        <Suspense fallback={null}>
          <ReleaseDialog release={release} onClose={close} />
        </Suspense>
      )}
      {asked === 'publish' && <PublishConfirm release={release} onClose={close} />}
      {asked === 'delete' && <DeleteConfirm release={release} onClose={close} />}
    </>
  )
}

interface ConfirmProps {
  readonly release: WholeRelease
  readonly onClose: () => void
}

function PublishConfirm({ release: { id, name, entryCount }, onClose }: ConfirmProps) {
  const publish = useReleaseChange(
    () => admin.releases.publish(id),
    () => {
      onClose()
      toast('success', t('releases.published', { name }))
      void forgetAll(queryClient)
    },
  )
  return (
    <Confirm
      title={t('releases.publishTitle', { name })}
      action={t('releases.publish')}
      isOpen
      isPending={publish.isPending}
      onConfirm={() => publish.mutate(undefined)}
      onClose={onClose}
    >
      {publish.error !== null && (
        <p role="alert" className={classes.problem}>
          {errorText(publish.error)}
        </p>
      )}
      <p>{t('releases.publishText', { count: entryCount })}</p>
    </Confirm>
  )
}

function DeleteConfirm({ release: { id, name }, onClose }: ConfirmProps) {
  const [, navigate] = useLocation()
  const remove = useReleaseChange(
    () => admin.releases.delete(id),
    () => {
      navigate('/releases')
      toast('success', t('releases.deleted', { name }))
    },
  )
  return (
    <Confirm
      title={t('releases.deleteTitle', { name })}
      action={t('releases.delete')}
      isOpen
      isDangerous
      isPending={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      {remove.error !== null && (
        <p role="alert" className={classes.problem}>
          {errorText(remove.error)}
        </p>
      )}
      <p>{t('releases.deleteText')}</p>
    </Confirm>
  )
}
