import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// The server plays its page from there; `make page` builds it, and the wheel brings it along.
const STATIC = "../src/sandtable/server/static";

export default defineConfig({
  plugins: [svelte()],
  build: { outDir: STATIC, emptyOutDir: true, target: "es2022", assetsInlineLimit: 0 },
  server: {
    // What draws the table lies with the replay page, which is drawn by it too.
    fs: { allow: [".", "../src/sandtable/page"] },
    proxy: {
      "/api": "http://127.0.0.1:8000",
      "/battles": "http://127.0.0.1:8000",
      "/socket": { target: "ws://127.0.0.1:8000", ws: true },
    },
  },
});
