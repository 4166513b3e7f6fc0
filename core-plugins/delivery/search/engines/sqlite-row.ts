import type { SearchDocument } from '../document.ts'
import { commonRow, type DocumentRow, textOf } from './document-row.ts'

export function sqliteRow(document: SearchDocument): DocumentRow {
  const { title, body, byField } = document
  return {
    ...commonRow(document),
    ...{ title: textOf(title), body: textOf(body) },
    ...{ fieldTitle: textOf(byField.title), fieldBody: textOf(byField.body) },
  }
}
