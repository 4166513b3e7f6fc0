import serviceManifest from '../package.json' with { type: 'json' }
import { panelText } from './panel-text.ts'

/** The files of a new plugin package by their paths; what authors change next is in `src/plugin.ts`. */
export function pluginPackage(name: string, hasPanel: boolean): Readonly<Record<string, string>> {
  const names: Readonly<Record<string, string>> = {
    name,
    package: packageNameOf(name),
    field: name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
    version: serviceManifest.version,
    ...toolVersions,
  }
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_, key: string) => names[key] ?? '')
  const files = Object.entries(templates).map(([path, text]) => [filled(path), filled(text)])
  return hasPanel ? withPanel(name, Object.fromEntries(files)) : Object.fromEntries(files)
}

/** The same files with a part of the panel; without one, a package has nothing to do with React. */
function withPanel(name: string, files: Readonly<Record<string, string>>) {
  const changed = (path: string, changes: Readonly<Record<string, string>>) =>
    Object.entries(changes).reduce((text, [from, to]) => text.replace(from, to), files[path] ?? '')
  return {
    ...files,
    'package.json': changed('package.json', {
      '"@types/node"': `"@types/react": "${reactTypes}",\n    "@types/node"`,
    }),
    'tsconfig.json': changed('tsconfig.json', {
      '"lib": ["es2023"]': '"lib": ["es2023", "dom"],\n    "jsx": "react-jsx"',
      '"types": ["node"]': '"types": ["node", "react"]',
    }),
    'src/plugin.ts': changed('src/plugin.ts', {
      '  graphqlExtensions,\n': '  graphqlExtensions,\n  panelModules,\n',
      'import.meta.url) })\n':
        "import.meta.url) })\n    contribute(panelModules, { file: new URL('./panel.tsx', import.meta.url) })\n",
    }),
    'src/panel.tsx': panelText(name, 'editors'),
  }
}

/** Those that this service is developed with; its package.json is the one place that has them. */
const {
  '@types/node': nodeTypes,
  '@types/react': reactTypes,
  tsx,
  typescript,
} = {
  ...serviceManifest.dependencies,
  ...serviceManifest.devDependencies,
}
const toolVersions = { nodeTypes, tsx, typescript }

/** What others install, and name in their config. */
export const packageNameOf = (name: string) => `mortise-plugin-${name}`

const manifest = `{
  "name": "{{package}}",
  "version": "0.1.0",
  "description": "Greets, for Mortise",
  "license": "MIT",
  "keywords": ["mortise-plugin"],
  "type": "module",
  "exports": {
    ".": { "types": "./dist/plugin.d.ts", "default": "./dist/plugin.js" }
  },
  "files": ["dist", "schemas"],
  "engines": { "node": ">=20.19" },
  "scripts": {
    "build": "tsc -p tsconfig.build.json",
    "check": "tsc",
    "test": "mortise test",
    "prepack": "npm run build"
  },
  "peerDependencies": {
    "mortise": ">={{version}}"
  },
  "devDependencies": {
    "@types/node": "{{nodeTypes}}",
    "mortise": ">={{version}}",
    "tsx": "{{tsx}}",
    "typescript": "{{typescript}}"
  },
  "overrides": {
    "@fastify/static": { "content-disposition": "2.0.1" },
    "light-my-request": "6.6.0"
  },
  "allowScripts": {
    "better-sqlite3": true,
    "esbuild": false,
    "msgpackr-extract": false
  }
}
`

const compilerOptions = `{
  "compilerOptions": {
    "target": "es2023",
    "lib": ["es2023"],
    "module": "nodenext",
    "types": ["node"],
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "verbatimModuleSyntax": true,
    "isolatedModules": true,
    "rewriteRelativeImportExtensions": true,
    "noEmit": true
  },
  "include": ["src", "test"]
}
`

const buildOptions = `{
  "extends": "./tsconfig.json",
  "compilerOptions": { "noEmit": false, "declaration": true, "rootDir": "src", "outDir": "dist" },
  "include": ["src"]
}
`

const schema = `{
  "kind": "collectionType",
  "info": {
    "singularName": "{{name}}-greeting",
    "pluralName": "{{name}}-greetings",
    "displayName": "Greeting"
  },
  "attributes": {
    "name": { "type": "string", "required": true, "unique": true, "maxLength": 100 },
    "text": { "type": "string", "required": true, "maxLength": 200 }
  }
}
`

const source = `import {
  contentService,
  defineExtension,
  defineRoute,
  graphqlExtensions,
  type Principal,
  routes,
  schemaFolders,
  Type,
} from 'mortise/plugin'

const contentType = '{{name}}-greeting'

export default defineExtension({
  name: '{{name}}',
  description: 'Greets',
  version: '0.1.0',
  engines: { mortise: '>={{version}}' },
  configSchema: Type.Object({
    greeting: Type.String({ title: 'Greeting', description: 'For those who have none of their own', default: 'Hello' }),
  }),
  uses: { content: contentService },

  register({ contribute }) {
    contribute(schemaFolders, { folder: new URL('../schemas/', import.meta.url) })
  },

  init({ services: { content }, config, contribute }) {
    /** Refuses callers who may not read greetings (403), as the REST API does. */
    async function greet(name: string, principal: Principal) {
      const filter = new URLSearchParams({ 'filters[name]': name, fields: 'text' })
      const { entries } = await content.list(contentType, filter.toString(), principal)
      // The config may change while the service runs, so it is read when it is needed.
      return \`\${entries[0]?.text ?? config.greeting}, \${name}\`
    }

    contribute(
      routes,
      // Answers at /api/x/{{name}}/Ann.
      defineRoute({
        name: '{{name}}:greeting.read',
        method: 'GET',
        path: '/:name',
        summary: 'Greets somebody',
        access: 'permission',
        scope: 'content:read',
        policies: ['isAuthenticated'],
        params: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
        response: Type.Object({ message: Type.String() }),
        handler: async ({ params: { name }, principal }) => ({ message: await greet(name, principal) }),
      }),
    )
    contribute(graphqlExtensions, {
      queries: {
        {{field}}: {
          type: 'String',
          arguments: 'name: String!',
          description: 'Greets somebody',
          access: 'permission',
          scope: 'content:read',
          policies: ['isAuthenticated'],
          resolve: ({ name }, { principal }) => greet(String(name), principal),
        },
      },
    })
  },
})
`

const test = `import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { expectStatus, startTestService, type TestService } from 'mortise/testing'
import plugin from '../src/plugin.ts'

describe('{{name}}', () => {
  let service: TestService
  before(async () => {
    service = await startTestService({ plugins: [plugin] })
  })
  after(() => service.stop())

  it('greets by the text that somebody has, or else by the setting', async () => {
    await service.create('{{name}}-greeting', { name: 'Ann', text: 'Good day' })
    for (const [name, message] of [['Ann', 'Good day, Ann'], ['Bo', 'Hello, Bo']]) {
      const answer = expectStatus(await service.admin.get(\`/api/x/{{name}}/\${name}\`), 200)
      assert.equal(answer.body.data.message, message)
    }
  })

  it('greets in GraphQL', async () => {
    const answer = await service.admin.post('/api/graphql', { query: '{ {{field}}(name: "Cy") }' })
    assert.equal(expectStatus(answer, 200).body.data.{{field}}, 'Hello, Cy')
  })

  it('is closed to callers without an account, or without permission to read greetings', async () => {
    expectStatus(await service.anonymous.get('/api/x/{{name}}/Ann'), 401)
    const { client } = await service.createContentUser()
    expectStatus(await client.get('/api/x/{{name}}/Ann'), 403)
  })
})
`

const readme = `# {{package}}

A plugin for Mortise. It greets.

    npm install {{package}}

Then switch it on in \`mortise.config.ts\`:

\`\`\`ts
export default { plugins: { '{{package}}': { greeting: 'Hello' } } }
\`\`\`

\`GET /api/x/{{name}}/Ann\` greets Ann, for callers who are signed in or send an API token, and so does \`{ {{field}}(name: "Ann") }\` in GraphQL.
`

const templates: Readonly<Record<string, string>> = {
  'package.json': manifest,
  'tsconfig.json': compilerOptions,
  'tsconfig.build.json': buildOptions,
  'schemas/{{name}}-greeting.json': schema,
  'src/plugin.ts': source,
  'test/plugin.test.ts': test,
  'README.md': readme,
  '.gitignore': 'node_modules\ndist\n',
}
