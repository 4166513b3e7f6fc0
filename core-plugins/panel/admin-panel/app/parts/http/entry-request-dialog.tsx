import { useEntry } from '../../content/entry/entry-session.ts'
import type { EntryDialogProps } from '../../content/schema/entry-dialog.ts'
import { useAccess } from '../../ground/access/access.ts'
import { useContentTypes } from '../../ground/api/content-types.ts'
import { RequestDialog } from './request-dialog.tsx'
import { requestOfEntry } from './request-of.ts'

/** The API request for the entry in the form. Loaded on demand. */
export default function EntryRequestDialog({ onClose }: EntryDialogProps) {
  const entry = useEntry()
  const types = useContentTypes()
  const access = useAccess()
  if (types === undefined) return null
  return <RequestDialog request={requestOfEntry({ ...entry, types, access })} onClose={onClose} />
}
