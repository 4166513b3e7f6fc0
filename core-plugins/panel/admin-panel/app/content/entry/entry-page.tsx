import { type ReactNode, useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { useAccess } from '../../ground/access/access.ts'
import type { DescribedType } from '../../ground/api/content-types.ts'
import { refusalStatus } from '../../ground/api/refusal.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Button } from '../../ground/kit/button/button.tsx'
import { EmptyState } from '../../ground/kit/empty-state/empty-state.tsx'
import { Skeleton } from '../../ground/kit/loading/loading.tsx'
import { Page } from '../../ground/kit/page/page.tsx'
import { ForbiddenPage, NotFoundPage } from '../../shell/refusal-pages.tsx'
import { type EntryAddress, entryAddress, isNewAt } from './entry-address.ts'
import { EntryEditor } from './entry-editor.tsx'
import { EntryContext, type EntrySession } from './entry-session.ts'
import { useOpenSession } from './use-open-session.ts'

export interface EntryPageProps {
  readonly type: DescribedType
  /** Undefined for a new entry and for the entry of a single type. */
  readonly id: number | undefined
}

/** The form of an entry, if the user has permission to read it. */
export function EntryPage({ type, id }: EntryPageProps) {
  const access = useAccess()
  const [search] = useSearchParams()
  const address = entryAddress({ type, id, search, access })
  const action = isNewAt(address) ? 'create' : 'update'
  const mayWrite = access.mayContent(type.name, action)
  if (isNewAt(address) && !mayWrite) return <ForbiddenPage permission={`${type.name}: create`} />
  return (
    <OpenedEntry address={address} isReadOnly={!mayWrite}>
      <EntryEditor />
    </OpenedEntry>
  )
}

export interface OpenedEntryProps {
  readonly address: EntryAddress
  readonly isReadOnly: boolean
  /** Keeps the URL of the screen when a new entry is stored, because the screen is not the entry's own page. */
  readonly keepsAddress?: boolean
  /** The form. */
  readonly children: ReactNode
}

/** Opens an entry and provides it to the form in `children`. */
export function OpenedEntry({ address, isReadOnly, keepsAddress = false, children }: OpenedEntryProps) {
  const [attempt, setAttempt] = useState(0)
  const opening = useOpenSession({ address, isReadOnly, attempt })
  if (opening.kind === 'open') {
    return (
      <Form session={opening.session} isMoving={isNewAt(address) && !keepsAddress}>
        {children}
      </Form>
    )
  }
  if (opening.kind === 'failed') {
    return <Failed error={opening.error} onRetry={() => setAttempt(attempt + 1)} />
  }
  return (
    <Page title={address.type.info.displayName}>
      <Skeleton lines={10} />
    </Page>
  )
}

interface FormProps {
  readonly session: EntrySession
  /** Whether the screen moves to the URL of the new entry once it is stored. */
  readonly isMoving: boolean
  readonly children: ReactNode
}

function Form({ session, isMoving, children }: FormProps) {
  useOwnAddress(session, isMoving)
  return <EntryContext value={session}>{children}</EntryContext>
}

/** Navigates to the new entry's own URL when it is stored. */
function useOwnAddress({ store, type }: EntrySession, isMoving: boolean) {
  const [, navigate] = useLocation()
  useEffect(() => {
    if (!isMoving) return
    return store.subscribeToState(() => {
      const id = store.state().saved?.entry.id
      if (typeof id === 'number') navigate(`/content/${type.name}/${id}`, { replace: true })
    })
  }, [store, type, isMoving, navigate])
}

function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const status = refusalStatus(error)
  if (status === 404) return <NotFoundPage />
  if (status === 403) return <ForbiddenPage />
  return (
    <Page title={t('entry.failedTitle')}>
      <EmptyState
        icon="server-crash"
        title={t('entry.failedText')}
        action={<Button onPress={onRetry}>{t('shell.tryAgain')}</Button>}
      >
        {errorText(error)}
      </EmptyState>
    </Page>
  )
}
