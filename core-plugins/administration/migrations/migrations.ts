export { MigrationError } from './migration-error.ts'
export {
  type MigrationReport,
  type MigrationRequest,
  type Migrations,
  migrationsService,
} from './migrations-service.ts'
export { type SchemaFileChange, schemaFileChanges } from './schema-file-changes.ts'
export type { Finding, MigrationSource } from './source.ts'
export { openStrapi, type StrapiOptions } from './strapi/open-strapi.ts'
export { openWordpress, type WordpressOptions } from './wordpress/open-wordpress.ts'
