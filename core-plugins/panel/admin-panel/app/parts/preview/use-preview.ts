import { useSearchParams } from 'wouter'
import type { EntryAbout } from '../../content/entry/side/side-panels.ts'
import { previewTemplate } from './preview-address.ts'

const parameter = 'panel'
const opened = 'preview'

/** Whether entries of a type have a page to look at. */
export const hasPreview = ({ type, access }: EntryAbout): boolean =>
  access.isOn('preview') && previewTemplate(type) !== undefined

/** Whether the page stands beside the form, as the address says, and how to change that. */
export function usePreview(): readonly [boolean, (isOpen: boolean) => void] {
  const [search, setSearch] = useSearchParams()
  const change = (isOpen: boolean) =>
    setSearch(
      (present) => {
        const next = new URLSearchParams(present)
        if (isOpen) next.set(parameter, opened)
        else next.delete(parameter)
        return next
      },
      { replace: true },
    )
  return [search.get(parameter) === opened, change]
}
