import { type PluginWebhookEvent, Type } from 'mortise/plugin'
import { ruleType } from './rule-store.ts'

export const loopFound: PluginWebhookEvent = {
  name: 'redirects.loop-found',
  description: 'A redirect leads back to itself and has no effect; looked for once a day',
  payload: Type.Object({ id: Type.Integer(), from: Type.String(), to: Type.String() }),
  contentType: ruleType,
}
