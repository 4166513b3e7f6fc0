import { definePlugin, StartupError } from '../../../kernel/index.ts'
import serviceManifest from '../../../package.json' with { type: 'json' }
import { auditService } from '../../background/audit/audit.ts'
import { configService, settings, siteName } from '../../foundation/config/config.ts'
import { httpService, policies, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { docsService } from '../docs/docs.ts'
import { createAskRoute } from './ask-route.ts'
import { agentPolicy, endpointPath, endpointRoute } from './endpoint.ts'
import { protectedResource } from './protected-resource.ts'
import { enabled, maxAnswerLength, mcpSettings, pageSize } from './settings.ts'
import { createToolbox } from './toolbox.ts'

/** Lets agents use the service through the Model Context Protocol. Does nothing until `mcp.enabled` is set; see docs/mcp.md. */
export const mcpPlugin = definePlugin({
  name: 'mcp',
  description: 'Serves agents by the Model Context Protocol: the routes that their token may use, as tools',
  uses: { config: configService, http: httpService, schemas: schemasService },
  usesIfPresent: { audit: auditService, docs: docsService },

  register({ contribute }) {
    for (const setting of mcpSettings) contribute(settings, setting)
  },

  init({ services, contribute, log }) {
    const { audit, config, docs, http, schemas } = services
    if (!config.get(enabled)) return
    if (docs === undefined) throw needsDocs(config.envNameOf(enabled))
    const toolbox = createToolbox({
      ...{ docs, schemas },
      ask: createAskRoute(http),
      pageSize: () => config.get(pageSize),
      maxAnswerLength: () => config.get(maxAnswerLength),
    })
    contribute(policies, agentPolicy)
    const about = { title: config.get(siteName) || 'Mortise', version: serviceManifest.version }
    const resource = protectedResource(endpointPath, about.title, http, config)
    contribute(routes, endpointRoute({ toolbox, audit, log, config, resource, ...about }))
    for (const route of resource?.routes ?? []) contribute(routes, route)
  },
})

function needsDocs(variable: string): StartupError {
  const message = 'tools are made from the API document, whose plugin docs is switched off'
  const remedy = 'switch docs on, or this off'
  return new StartupError('Agents cannot be served:', [{ subject: variable, message, remedy }])
}
