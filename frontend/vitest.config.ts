import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "happy-dom",
    pool: "vmThreads",
    include: ["tests/**/*.test.ts"],
    testTimeout: 60_000, // ms; a busy machine is slow
  },
});
