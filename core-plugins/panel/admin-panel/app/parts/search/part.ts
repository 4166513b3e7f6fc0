import { api } from '../../ground/api/client.ts'
import type { PanelPart } from '../../shell/panel-part.ts'

export const search: PanelPart = {
  entrySearches: [
    ({ text, most }, signal) => {
      const query = new URLSearchParams({ q: text, typos: 'true', limit: String(most) })
      return api.send('GET', `/search?${query}`, { signal })
    },
  ],
}
