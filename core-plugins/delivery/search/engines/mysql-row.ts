import type { SearchDocument } from '../document.ts'
import { commonRow, type DocumentRow, textOf } from './document-row.ts'

export function mysqlRow(document: SearchDocument): DocumentRow {
  const { title, body, byField } = document
  return {
    ...commonRow(document),
    titleWords: textOf(title),
    bodyWords: textOf(body),
    fieldWords: `${textOf(byField.title)} ${textOf(byField.body)}`,
  }
}
