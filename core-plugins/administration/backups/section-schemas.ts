import { type TSchema, Type } from 'typebox'
import { strict } from '../../foundation/http/http.ts'
import { type SectionName, sectionNames } from '../../foundation/sections/sections.ts'

const flags = <Schema extends TSchema>(schema: Schema) =>
  Object.fromEntries(sectionNames.map((name) => [name, schema])) as Record<SectionName, Schema>

/** The sections of a backup in responses. */
export const sectionsSchema = Type.Object(flags(Type.Boolean()), strict)
/** The selected sections. */
export const sectionsInput = Type.Object(flags(Type.Optional(Type.Boolean())), {
  ...strict,
  description: 'Naming some means only those',
})
