// The type of the one file of the library that is used. Its index would load the clients of a dozen databases.

declare module 'rate-limiter-flexible/lib/RateLimiterMemory.js' {
  export { RateLimiterMemory as default } from 'rate-limiter-flexible'
}
