import type { ConfigFile } from 'mortise'

/**
 * Settings by nested or dotted key; the environment and `.env` take precedence. `npx mortise settings` lists all of
 * them.
 */
export default {
  site: { name: '{{name}}' },
  plugins: {
    // Core plugins by name, those in plugins/ by name, those from npm by package: false switches one off.
    hello: { greeting: 'Hello' },
  },
} satisfies ConfigFile
