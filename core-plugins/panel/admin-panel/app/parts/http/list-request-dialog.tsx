import type { List } from '../../content/list/list-context.ts'
import { RequestDialog } from './request-dialog.tsx'
import { requestOfList } from './request-of.ts'

/** The API request for the list. Loaded on demand. */
export default function ListRequestDialog({
  list,
  onClose,
}: {
  readonly list: List
  readonly onClose: () => void
}) {
  return <RequestDialog request={requestOfList(list)} onClose={onClose} />
}
