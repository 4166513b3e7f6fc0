import type { DialectName } from '../../foundation/database/database.ts'
import { type DocumentSource, documentOf } from './document.ts'
import type { DocumentRow } from './engines/document-row.ts'
import { rowOf } from './engines/row-of.ts'
import { noTokenizers, type Tokenizers } from './tokenizers.ts'

/** Documents to build, in the form of a database's engine. */
export interface DocumentOrder {
  readonly dialect: DialectName
  readonly sources: readonly DocumentSource[]
}

export interface MadeDocuments {
  readonly rows: readonly DocumentRow[]
  /** The distinct words that may be mistyped, by type. */
  readonly spelled: ReadonlyMap<string, ReadonlySet<string>>
}

export function makeDocuments(
  { dialect, sources }: DocumentOrder,
  tokenizers: Pick<Tokenizers, 'tokensOf'> = noTokenizers,
): MadeDocuments {
  const spelled = new Map<string, Set<string>>()
  const rows = sources.map((source) => {
    const document = documentOf(source, tokenizers)
    const words = spelled.get(document.type) ?? new Set()
    spelled.set(document.type, words)
    for (const word of document.spelled) words.add(word)
    return rowOf[dialect](document)
  })
  return { rows, spelled }
}
