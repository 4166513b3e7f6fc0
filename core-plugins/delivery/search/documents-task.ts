import { type DocumentOrder, type MadeDocuments, makeDocuments } from './make-documents.ts'

/** Makes documents on a thread of its own, without the tokenizers of plugins. */
export default function documentsTask(order: DocumentOrder): MadeDocuments {
  return makeDocuments(order)
}
