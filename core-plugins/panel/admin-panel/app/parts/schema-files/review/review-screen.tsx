import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import type { SchemaFiles } from '../../../../../../../client/admin.ts'
import { admin } from '../../../ground/api/admin.ts'
import { isOutdated } from '../../../ground/api/refusal.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { changesOf, discardDraft, filesOf, noteProblems, rebase, useDraft } from '../draft/draft.ts'
import { ModelPage } from '../owners/model-page.tsx'
import { schemaFiles } from '../owners/use-model.ts'
import { CheckedChanges } from './checked-changes.tsx'
import classes from './review.module.css'

/** A review before saving: problems, effects on the data, and differences of the files. */
export default function ReviewScreen() {
  const draft = useDraft()
  const changes = changesOf(draft)
  const hasChanges = Object.keys(changes).length > 0
  const checked = useQuery({
    queryKey: ['schema-files', 'check', draft.base?.version, changes],
    queryFn: ({ signal }) => admin.schemaFiles.check(changes, { signal }),
    enabled: hasChanges,
    gcTime: 0,
  })
  const { save, isSaving, overwritten } = useSave()
  const { data } = checked
  useEffect(() => {
    if (data !== undefined) noteProblems(data.problems)
  }, [data])
  return (
    <ModelPage
      title={() => t('model.reviewTitle')}
      back={{ to: '/model/types', label: t('model.types') }}
      actions={() =>
        hasChanges && (
          <Button
            look="primary"
            icon="save"
            isPending={isSaving}
            isDisabled={data === undefined || data.problems.length > 0}
            onPress={save}
          >
            {t('model.save')}
          </Button>
        )
      }
    >
      {() => (
        <>
          {!hasChanges && <EmptyState icon="check" title={t('model.nothingChanged')} />}
          {overwritten.length > 0 && (
            <p className={classes.problem} role="alert">
              {t('model.changedElsewhere', { files: overwritten.join(', ') })}
            </p>
          )}
          {checked.error !== null && <EmptyState icon="triangle-alert" title={errorText(checked.error)} />}
          {hasChanges && checked.isPending && <Skeleton lines={6} />}
          {hasChanges && data !== undefined && <CheckedChanges checked={data} />}
        </>
      )}
    </ModelPage>
  )
}

/** Saves the draft. If files have changed meanwhile, nothing is saved: the draft is rebased and shown again. */
function useSave() {
  const draft = useDraft()
  const queries = useQueryClient()
  const [, navigate] = useLocation()
  const [overwritten, setOverwritten] = useState<readonly string[]>([])
  const write = useMutation({
    mutationFn: () => admin.schemaFiles.write(changesOf(draft), draft.base?.version ?? ''),
    onSuccess() {
      discardDraft()
      toast('success', t('model.saved'))
      // The service may be restarting already; marking the files as unused starts polling.
      queries.setQueryData(schemaFiles.queryKey, (files) => files && { ...files, isInUse: false })
      navigate('/model/types')
    },
    async onError(error) {
      if (!isOutdated(error)) return toast('danger', errorText(error))
      const current = await queries.fetchQuery({ ...schemaFiles, staleTime: 0 })
      setOverwritten(changedBoth(draft.base, current, Object.keys(changesOf(draft))))
      rebase(current)
      toast('info', t('model.rebased'))
    },
  })
  return { save: () => write.mutate(), isSaving: write.isPending, overwritten }
}

/** The files changed both here and by another user. */
function changedBoth(
  base: SchemaFiles | undefined,
  current: SchemaFiles,
  paths: readonly string[],
): string[] {
  if (base === undefined) return []
  const [before, now] = [filesOf(base), filesOf(current)]
  return paths.filter((path) => JSON.stringify(before.get(path)) !== JSON.stringify(now.get(path)))
}
