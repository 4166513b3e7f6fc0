/** Gives a file to the browser to save. */
export function offerFile(file: Blob, name: string) {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has to have begun reading it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
