import { type DocumentOrder, type MadeDocuments, makeDocuments } from './make-documents.ts'

/** Builds documents on a worker thread, without the tokenizers of plugins. */
export default function documentsTask(order: DocumentOrder): MadeDocuments {
  return makeDocuments(order)
}
