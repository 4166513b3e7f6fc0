const names = ['localhost', '127.0.0.1', '[::1]']

/** Whether a URL refers to this machine. */
export function isOnThisMachine(address: string): boolean {
  return URL.canParse(address) && names.includes(new URL(address).hostname)
}
