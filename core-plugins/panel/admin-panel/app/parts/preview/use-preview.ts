import { useSearchParams } from 'wouter'

const parameter = 'panel'

/** The pane, as the address names it. */
export const previewPane = 'preview'

/** Whether the page stands beside the form, as the address says, and how to change that. */
export function usePreview(): readonly [boolean, (isOpen: boolean) => void] {
  const [search, setSearch] = useSearchParams()
  const change = (isOpen: boolean) =>
    setSearch(
      (present) => {
        const next = new URLSearchParams(present)
        if (isOpen) next.set(parameter, previewPane)
        else next.delete(parameter)
        return next
      },
      { replace: true },
    )
  return [search.get(parameter) === previewPane, change]
}
