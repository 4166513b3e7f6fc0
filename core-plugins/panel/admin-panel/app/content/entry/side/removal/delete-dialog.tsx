import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { EntryUsage } from '../../../../../../../../client/admin.ts'
import { type Access, useAccess } from '../../../../ground/access/access.ts'
import { transport } from '../../../../ground/api/client.ts'
import { type DescribedType, useContentTypes } from '../../../../ground/api/content-types.ts'
import { queryClient } from '../../../../ground/api/query-client.ts'
import { errorText } from '../../../../ground/i18n/problem-text.ts'
import { t } from '../../../../ground/i18n/translate.ts'
import { Button } from '../../../../ground/kit/button/button.tsx'
import { Dialog } from '../../../../ground/kit/dialog/dialog.tsx'
import { Skeleton } from '../../../../ground/kit/loading/loading.tsx'
import { type ToastAction, toast } from '../../../../ground/kit/toast/toast.tsx'
import { RefusalNote } from '../publication/problem-list.tsx'
import { publicationOf } from '../publication/publication.ts'
import { pathOf, type SavedEntry } from '../publication/publication-requests.ts'
import classes from './removal.module.css'
import { Usages } from './usages.tsx'
import { useUsage } from './use-usage.ts'

export interface DeleteDialogProps {
  readonly entry: SavedEntry
  readonly onClose: () => void
}

/** Shows where the entry is used and what deleting it does to those entries, and asks for confirmation. */
export default function DeleteDialog({ entry, onClose }: DeleteDialogProps) {
  const { type, id, saved } = entry
  const access = useAccess()
  const hasUsages = access.isOn('usages')
  const [, navigate] = useLocation()
  const title = String(saved.entry[type.titleField] ?? `#${id}`)
  const deletion = useMutation({
    mutationFn: () => transport.send('DELETE', deletionPath(entry), { headers: { 'if-match': saved.etag } }),
    async onSuccess() {
      onClose()
      toast('success', t('removal.deleted', { title }), undoOf(entry, title, access, navigate))
      navigate(type.kind === 'singleType' ? '/' : `/content/${type.name}`)
      await invalidate(type)
    },
  })
  const usage = useUsage(entry, hasUsages)
  const isRefused = usage.data?.deletion.isRefused === true
  return (
    <Dialog
      title={t('removal.deleteTitle', { title })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('kit.cancel')}</Button>
          <Button
            look="danger"
            icon="trash-2"
            isDisabled={isRefused || (hasUsages && usage.isPending)}
            isPending={deletion.isPending}
            onPress={() => deletion.mutate()}
          >
            {t('removal.delete')}
          </Button>
        </>
      }
    >
      <div className={classes.dialog}>
        {deletion.error !== null && <RefusalNote error={deletion.error} />}
        <p>
          {publicationOf(saved.entry)?.kind === 'public' && `${t('removal.isPublic')} `}
          {t(type.options.softDelete === true ? 'removal.toTrash' : 'removal.deleteText')}
        </p>
        {usage.data !== undefined && <Consequences usage={usage.data} />}
        {hasUsages && usage.isPending && <Skeleton />}
        {usage.error !== null && <RefusalNote error={usage.error} />}
      </div>
    </Dialog>
  )
}

/** The path to delete; the entry of a single type has no id in it. */
const deletionPath = (entry: SavedEntry) =>
  entry.type.kind === 'singleType' ? `/content/${entry.type.name}` : pathOf(entry)

const invalidate = ({ name }: DescribedType) =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey.includes(name) })

/** The undo action of the toast; undefined unless the type has a trash and the user is an administrator. */
function undoOf(
  entry: SavedEntry,
  title: string,
  access: Access,
  navigate: (path: string) => void,
): ToastAction | undefined {
  const { type, id } = entry
  if (type.options.softDelete !== true || !access.isAdministrator) return undefined
  return {
    label: t('removal.undo'),
    async onAction() {
      try {
        await transport.send('POST', `${pathOf(entry)}/restore`)
        toast('success', t('removal.restored', { title }))
        await invalidate(type)
        navigate(`/content/${type.name}/${id}`)
      } catch (error) {
        toast('danger', errorText(error))
      }
    },
  }
}

function Consequences({ usage }: { readonly usage: EntryUsage }) {
  const types = useContentTypes() ?? []
  const { isRefused, heldBy = [], deletes } = usage.deletion
  const count = deletes.reduce((sum, each) => sum + each.count, 0)
  const names = deletes.map(
    ({ type, count: ofType }) =>
      `${types.find(({ name }) => name === type)?.info.displayName ?? type} (${ofType})`,
  )
  return (
    <>
      {isRefused && (
        <p className={classes.refused}>
          {heldBy.length > 0 ? t('removal.held', { tables: heldBy.join(', ') }) : t('removal.refused')}
        </p>
      )}
      {count > 0 && <p>{t('removal.deletesToo', { count, types: names.join(', ') })}</p>}
      <section className={classes.section}>
        <h3>{t('removal.usages')}</h3>
        <Usages usage={usage} types={types} showsEffects />
      </section>
    </>
  )
}
