import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { contentTypes } from '../../../ground/api/content-types.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Button } from '../../../ground/kit/button/button.tsx'
import { Confirm } from '../../../ground/kit/dialog/dialog.tsx'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { Spinner } from '../../../ground/kit/loading/loading.tsx'
import { toast } from '../../../ground/kit/toast/toast.tsx'
import { changesOf, discardDraft, useDraft } from '../draft/draft.ts'
import classes from './model-page.module.css'
import { type Model, schemaFiles } from './use-model.ts'

/** Notices: why nothing can be changed, unsaved changes, and whether the service uses the saved files. */
export function ModelNotice({ model: { stored } }: { readonly model: Model }) {
  const draft = useDraft()
  const count = Object.keys(changesOf(draft)).length
  return (
    <>
      <RestartNotice />
      {!stored.isWritable && (
        <div className={classes.notice}>
          <Icon name="lock" />
          <p>{t('model.readOnly')}</p>
        </div>
      )}
      {count > 0 && <ChangedNotice count={count} />}
    </>
  )
}

function ChangedNotice({ count }: { readonly count: number }) {
  const [location, navigate] = useLocation()
  const [isAsking, ask] = useState(false)
  return (
    <section className={`${classes.notice} ${classes.changed}`} aria-label={t('model.unsaved')}>
      <Icon name="pencil-line" />
      <p role="status">{t('model.changedFiles', { count })}</p>
      <div className={classes.buttons}>
        <Button onPress={() => ask(true)}>{t('model.discard')}</Button>
        {location !== '/model/review' && (
          <Button look="primary" onPress={() => navigate('/model/review')}>
            {t('model.review')}
          </Button>
        )}
      </div>
      <Confirm
        title={t('model.discardTitle')}
        action={t('model.discard')}
        isOpen={isAsking}
        isDangerous
        onConfirm={() => {
          ask(false)
          discardDraft()
        }}
        onClose={() => ask(false)}
      >
        {t('model.discardText')}
      </Confirm>
    </section>
  )
}

/** The number of polls before saying that the service may need help. */
const patience = 30

/**
 * Waits until the service has restarted with the saved files. It is unreachable meanwhile; files with which it could not start
 * are never written, so it comes back.
 */
function RestartNotice() {
  const { data, dataUpdatedAt, errorUpdateCount } = useQuery(schemaFiles)
  const queries = useQueryClient()
  const isInUse = data?.isInUse ?? true
  const wasInUse = useRef(isInUse)
  const [asked, count] = useState(0)
  useEffect(() => {
    if (dataUpdatedAt + errorUpdateCount > 0) count((before) => (isInUse ? 0 : before + 1))
  }, [dataUpdatedAt, errorUpdateCount, isInUse])
  useEffect(() => {
    if (isInUse && !wasInUse.current) {
      toast('success', t('model.inUse'))
      void queries.invalidateQueries({ queryKey: contentTypes.queryKey })
      void queries.invalidateQueries({ queryKey: ['components'] })
      void queries.invalidateQueries({ queryKey: ['panel'] })
    }
    wasInUse.current = isInUse
  }, [isInUse, queries])
  if (isInUse) return null
  return (
    <div className={classes.notice}>
      {asked > patience ? <Icon name="triangle-alert" /> : <Spinner />}
      <p role="status">{asked > patience ? t('model.restartNeeded') : t('model.restarting')}</p>
    </div>
  )
}
