import { useSearchParams } from 'wouter'

const parameter = 'panel'

/** The id of the pane in the URL. */
export const previewPane = 'preview'

/** Whether the preview is open according to the URL, and a function to change it. */
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
