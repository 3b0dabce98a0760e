import { defineConfig } from "vitest/config";

export default defineConfig({ test: { environment: "happy-dom", pool: "vmThreads", include: ["tests/**/*.test.ts"] } });
