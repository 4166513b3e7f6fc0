import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { refusalStatus } from '../../../ground/api/refusal.ts'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { Page } from '../../../ground/kit/page/page.tsx'
import { NotFoundPage } from '../../../shell/refusal-pages.tsx'
import { type FileVersion, fileOptions } from '../media-queries.ts'
import classes from './details.module.css'
import { DetailsForm } from './details-form.tsx'
import { Facts } from './facts.tsx'
import { FileActions } from './file-actions.tsx'
import { Preview } from './preview.tsx'
import { UsedIn } from './used-in.tsx'

/** A file: preview, description and usages. */
export default function Details() {
  const id = Number(useParams().id)
  return Number.isSafeInteger(id) && id > 0 ? <Known key={id} id={id} /> : <NotFoundPage />
}

function Known({ id }: { readonly id: number }) {
  const { data: version, error } = useQuery(fileOptions(id))
  if (version !== undefined) return <FilePage version={version} />
  if (error === null) return <Page title={t('media.title')}>{<Skeleton lines={8} />}</Page>
  if (refusalStatus(error) === 404) return <NotFoundPage />
  return (
    <Page title={t('media.title')}>
      <EmptyState icon="circle-alert" title={t('media.failed')}>
        {errorText(error)}
      </EmptyState>
    </Page>
  )
}

function FilePage({ version }: { readonly version: FileVersion }) {
  const { file } = version
  return (
    <Page
      title={file.originalName}
      back={{ to: file.folder === null ? '/media' : `/media?folder=${file.folder}`, label: t('media.back') }}
      actions={<FileActions file={file} />}
    >
      <div className={classes.details}>
        <div className={classes.main}>
          <Preview file={file} />
          <Facts file={file} />
        </div>
        <div className={classes.side}>
          <DetailsForm version={version} />
          <UsedIn id={file.id} />
        </div>
      </div>
    </Page>
  )
}
