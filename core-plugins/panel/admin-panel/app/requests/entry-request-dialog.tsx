import { useContentTypes } from '../api/content-types.ts'
import { useEntry } from '../entry/entry-session.ts'
import { useAccess } from '../session/access.ts'
import { RequestDialog } from './request-dialog.tsx'
import { requestOfEntry } from './request-of.ts'

/** The request for the entry of a form. Loaded when somebody wants it. */
export default function EntryRequestDialog({ onClose }: { readonly onClose: () => void }) {
  const entry = useEntry()
  const types = useContentTypes()
  const access = useAccess()
  if (types === undefined) return null
  return <RequestDialog request={requestOfEntry({ ...entry, types, access })} onClose={onClose} />
}
