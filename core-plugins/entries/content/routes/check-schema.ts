import { Type } from 'typebox'
import { strict } from '../../../foundation/http/http.ts'

const detailSchema = Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() })

/** The result of a check; `details` as a refused write reports them. */
export const checkSchema = Type.Object(
  { valid: Type.Boolean(), details: Type.Optional(Type.Array(detailSchema)) },
  strict,
)
