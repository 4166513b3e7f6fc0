import type { ReactNode } from 'react'
import { errorText } from '../../../ground/i18n/problem-text.ts'
import { EmptyState } from '../../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { Page, type PageProps } from '../../../ground/kit/page/page.tsx'
import { ModelNotice } from './model-notice.tsx'
import classes from './model-page.module.css'
import { type Model, useModel } from './use-model.ts'

interface ModelPageProps extends Omit<PageProps, 'children' | 'title' | 'actions' | 'aside'> {
  readonly title: (model: Model | undefined) => string
  readonly aside?: (model: Model) => ReactNode
  readonly actions?: (model: Model) => ReactNode
  readonly children: (model: Model) => ReactNode
}

/** The frame of the model screens: notices, and the content once the model is loaded. */
export function ModelPage({ title, aside, actions, children, ...page }: ModelPageProps) {
  const { model, error } = useModel()
  return (
    <Page
      {...page}
      title={title(model)}
      aside={model !== undefined && aside?.(model)}
      actions={model !== undefined && actions?.(model)}
    >
      {model === undefined ? (
        <Unknown error={error} />
      ) : (
        <div className={classes.content}>
          <ModelNotice model={model} />
          {children(model)}
        </div>
      )}
    </Page>
  )
}

function Unknown({ error }: { readonly error: Error | null }) {
  return error === null ? (
    <Skeleton lines={8} />
  ) : (
    <EmptyState icon="triangle-alert" title={errorText(error)} />
  )
}
