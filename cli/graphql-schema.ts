import { graphqlService } from '../core-plugins/delivery/graphql/graphql.ts'
import { defineCoreCommand } from './command.ts'
import { writeDocument } from './document-file.ts'

const defaultFile = 'schema.graphql'

export const graphqlSchemaCommand = defineCoreCommand({
  name: 'graphql-schema',
  summary: 'writes the GraphQL schema (SDL) with all that anybody may use; needs no database',
  example: 'graphql-schema src/schema.graphql',
  arguments: { file: { summary: `where to, - for stdout (default: ${defaultFile})`, isOptional: true } },
  run: ({ project, arguments: { file = defaultFile } }) =>
    writeDocument(project, file, (kernel) => kernel.get(graphqlService).schemaText()),
})
