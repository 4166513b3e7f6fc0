import type { FileAttribute } from '../draft/file-content.ts'

const signs: Readonly<Record<string, string>> = {
  oneToOne: '1:1',
  manyToOne: 'n:1',
  oneToMany: '1:n',
  manyToMany: 'n:n',
}

/** The cardinality of a relation: `n:1`. */
export const kindOfLeading = ({ relation }: FileAttribute): string => signs[String(relation)] ?? ''
