// The part of netlify-redirector that the tests use; the package comes without types.

declare module 'netlify-redirector' {
  const redirector: {
    parseJSON(rules: string, options: object): Promise<{ match(request: object): unknown }>
  }
  export default redirector
}
