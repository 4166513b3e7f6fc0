import { Type } from 'typebox'
import { orNull, strict } from '../../foundation/http/http.ts'

/** The files, and the schemas of their contents. */
export const filesSchema = Type.Object(
  {
    version: Type.String({ description: 'Of all files together; `If-Match` of a write' }),
    isWritable: Type.Boolean({ description: 'Whether `schemas.writable` lets the service write them' }),
    reason: orNull(Type.String({ description: 'Why it does not' })),
    isInUse: Type.Boolean({ description: 'Whether the service was started with the files as they are' }),
    files: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'In the schemas directory' }),
          kind: Type.Enum(['content-type', 'component', 'extension', 'component-extension']),
          name: Type.String({ description: 'What it declares: `article`, `shared.seo`' }),
          content: Type.Unknown({ description: 'Null where the file is no JSON' }),
        },
        strict,
      ),
    ),
    fieldTypes: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          description: Type.String(),
          shape: Type.Enum(['value', 'reference', 'components']),
          schema: Type.Unknown({ description: 'JSON Schema of an attribute of this type' }),
        },
        strict,
      ),
    ),
    fileSchemas: Type.Unknown({
      description: 'JSON Schemas of the kinds of files, without their attributes',
    }),
  },
  strict,
)

const problemSchema = Type.Object(
  {
    file: orNull(Type.String({ description: 'Null where the problem is in no file of the project' })),
    pointer: Type.String({ description: 'JSON pointer in the file' }),
    subject: Type.String(),
    message: Type.String(),
    remedy: Type.String(),
  },
  strict,
)

/** The result of checking changed files. */
export const checkSchema = Type.Object(
  {
    problems: Type.Array(problemSchema, { description: 'All that would keep the service from starting' }),
    warnings: Type.Array(problemSchema, {
      description: 'What would not, and should be known before: drafts that would have to be completed',
    }),
    sync: Type.Array(
      Type.Object(
        {
          change: Type.String(),
          table: Type.String(),
          column: orNull(Type.String()),
          safe: Type.Boolean({ description: 'The next start does it; what is not safe waits for safe-sync' }),
          reason: orNull(Type.String()),
          plugin: orNull(Type.String()),
          isPending: Type.Boolean({ description: 'Pending already, whatever becomes of the files' }),
        },
        strict,
      ),
      { description: 'What the database will lack, in the order in which it is applied' },
    ),
    files: Type.Array(
      Type.Object(
        { path: Type.String(), before: orNull(Type.String()), after: orNull(Type.String()) },
        strict,
      ),
      { description: 'The texts of files that change' },
    ),
  },
  strict,
)
