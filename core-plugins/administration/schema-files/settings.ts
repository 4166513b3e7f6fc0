import { Type } from 'typebox'
import { type Config, defineSetting } from '../../foundation/config/config.ts'

/** Whether the service writes schema files; see `isWritable` for the default. */
export const writable = defineSetting(
  'schemas.writable',
  Type.Boolean({
    tier: 'infrastructure',
    default: false,
    title: 'Schema files can be written',
    description:
      'Whether administrators may change schema files in the panel. On in development unless told otherwise.',
  }),
)

/** By default in development only: elsewhere, schema files come with the version of the project that is deployed. */
export function isWritable(config: Config): boolean {
  if (config.sourceOf(writable) === 'default') return config.environment === 'development'
  return config.get(writable)
}
