export { createSchemaFolder, type SchemaFolder } from './folder.ts'
export { formatSchema } from './format.ts'
