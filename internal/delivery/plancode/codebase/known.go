package codebase

import (
	"path"
	"strings"
)

// usePurpose is the purpose of a dependency or of a well-known file, such as testing.
type usePurpose string

const (
	framework usePurpose = "framework"
	testing   usePurpose = "testing"
	mocking   usePurpose = "mocking"
	service   usePurpose = "service"
	storage   usePurpose = "storage"
	signIn    usePurpose = "authentication"
	watching  usePurpose = "monitoring"

	lock    usePurpose = "lockfile"
	version usePurpose = "version"
	setting usePurpose = "setting"
	style   usePurpose = "style"
	tests   usePurpose = "test setting"
	build   usePurpose = "build"
	deploy  usePurpose = "deployment"
	sample  usePurpose = "names of variables"
)

// knownDependencies maps purposes to the names of dependencies that serve them. An entry matches the whole name and names that continue
// after a slash, a dot or a colon. With a star at the end it matches any name that begins so.
var knownDependencies = map[usePurpose]string{
	framework: `react react-dom next nuxt vue svelte @sveltejs/kit @angular/core solid-js preact astro gatsby remix @remix-run/* express fastify koa hono @nestjs/core
		@hapi/hapi electron react-native expo vite webpack tailwindcss django flask fastapi starlette tornado aiohttp celery streamlit click typer rails sinatra
		hanami laravel/framework symfony/framework-bundle symfony/symfony slim/slim org.springframework org.springframework.boot io.quarkus io.micronaut io.ktor
		com.google.inject github.com/gin-gonic/gin github.com/labstack/echo github.com/gofiber/fiber github.com/go-chi/chi github.com/gorilla/mux
		github.com/spf13/cobra github.com/urfave/cli google.golang.org/grpc connectrpc.com/connect actix-web axum rocket warp tokio clap bevy tauri yew leptos
		Microsoft.AspNetCore* Microsoft.EntityFrameworkCore*`,
	testing: `jest vitest mocha jasmine ava tap karma cypress @playwright/test playwright puppeteer @testing-library/* supertest pytest nose2 hypothesis tox
		behave unittest2 rspec rspec-rails minitest capybara cucumber phpunit/phpunit pestphp/pest org.junit org.junit.jupiter org.testng org.spockframework
		io.kotest org.assertj github.com/stretchr/testify github.com/onsi/ginkgo github.com/onsi/gomega github.com/google/go-cmp pgregory.net/rapid
		github.com/rogpeppe/go-internal proptest quickcheck rstest insta criterion xunit* NUnit MSTest*`,
	mocking: `sinon nock msw testdouble jest-mock pytest-mock responses respx moto freezegun factory-boy webmock vcr mockery/mockery org.mockito io.mockk
		org.wiremock com.github.tomakehurst go.uber.org/mock github.com/golang/mock mockall wiremock Moq NSubstitute`,
	service: `stripe openai anthropic @anthropic-ai/sdk @google/generative-ai twilio @sendgrid/* sendgrid mailgun.js nodemailer resend @slack/* slack-sdk slack_sdk
		aws-sdk @aws-sdk/* boto3 github.com/aws/aws-sdk-go github.com/aws/aws-sdk-go-v2 software.amazon.awssdk com.amazonaws aws-sdk-* @google-cloud/* google-cloud-* cloud.google.com/go
		@azure/* azure-* github.com/Azure firebase firebase-admin @octokit/* octokit PyGithub github.com/google/go-github github.com/stripe/stripe-go
		stripe/stripe-php com.stripe algoliasearch contentful @shopify/* googleapis github.com/sashabaranov/go-openai github.com/anthropics/anthropic-sdk-go
		github.com/twilio/twilio-go k8s.io/client-go kubernetes`,
	storage: `pg pg-promise postgres mysql mysql2 sqlite3 better-sqlite3 mongodb mongoose redis ioredis @prisma/client prisma typeorm sequelize knex drizzle-orm
		@elastic/elasticsearch kafkajs amqplib bullmq @supabase/supabase-js psycopg2 psycopg2-binary psycopg asyncpg pymysql mysqlclient sqlalchemy SQLAlchemy
		sqlmodel pymongo motor elasticsearch kafka-python confluent-kafka pika alembic peewee tortoise-orm sqlite activerecord sidekiq dalli doctrine/orm
		predis/predis @upstash/redis @upstash/qstash @vercel/postgres @planetscale/database org.postgresql com.mysql mysql:mysql-connector-java org.hibernate org.mongodb redis.clients org.apache.kafka com.h2database
		github.com/lib/pq github.com/jackc/pgx github.com/go-sql-driver/mysql github.com/mattn/go-sqlite3 modernc.org/sqlite zombiezen.com/go/sqlite gorm.io
		entgo.io/ent github.com/jmoiron/sqlx go.mongodb.org/mongo-driver github.com/redis/go-redis github.com/go-redis/redis github.com/gomodule/redigo
		go.etcd.io/bbolt go.etcd.io/etcd github.com/dgraph-io/badger github.com/nats-io/nats.go github.com/segmentio/kafka-go sqlx diesel sea-orm rusqlite
		tokio-postgres lapin rdkafka Dapper Npgsql* StackExchange.Redis MongoDB.Driver`,
	signIn: `passport passport-* next-auth @auth/* jsonwebtoken jose bcrypt bcryptjs @clerk/* @auth0/* auth0 express-session pyjwt PyJWT python-jose passlib @boxyhq/saml-jackson otplib pyotp
		authlib django-allauth djangorestframework-simplejwt flask-login devise omniauth omniauth-* warden laravel/sanctum laravel/passport tymon/jwt-auth
		org.springframework.security io.jsonwebtoken org.keycloak github.com/golang-jwt/jwt golang.org/x/oauth2 github.com/coreos/go-oidc
		github.com/markbates/goth oauth2 argon2`,
	watching: `@sentry/* sentry-sdk sentry-ruby sentry/sentry-laravel github.com/getsentry/sentry-go io.sentry sentry @opentelemetry/* opentelemetry-*
		go.opentelemetry.io/otel opentelemetry prom-client prometheus-client prometheus_client github.com/prometheus/client_golang io.micrometer prometheus
		dd-trace ddtrace datadog newrelic winston pino bunyan structlog loguru monolog/monolog go.uber.org/zap github.com/sirupsen/logrus github.com/rs/zerolog
		org.slf4j ch.qos.logback org.apache.logging.log4j tracing tracing-subscriber env_logger log Serilog*`,
}

// dependencyPurposes returns the known purposes of a dependency.
func dependencyPurposes(name string) (out []usePurpose) {
	for _, s := range []usePurpose{framework, testing, mocking, service, storage, signIn, watching} {
		for word := range strings.FieldsSeq(knownDependencies[s]) {
			if isBelowName(name, word) {
				out = append(out, s)
				break
			}
		}
	}
	return out
}

func isBelowName(name, word string) bool {
	if begin, ok := strings.CutSuffix(word, "*"); ok {
		return strings.HasPrefix(name, begin)
	}
	rest, ok := strings.CutPrefix(name, word)
	if !ok || rest == "" {
		return ok
	}
	switch rest[0] {
	case '/':
		return strings.ContainsAny(word, "./")
	case '.':
		return strings.Contains(word, ".")
	}
	return rest[0] == ':'
}

// namePattern is a pattern for well-known file names: for the base name or, if it has slashes, for the last parts of the path.
type namePattern struct {
	sort    usePurpose
	what    string
	pattern string // several, with blanks between them
}

// namePatterns are the file names that show a purpose.
var namePatterns = []namePattern{
	{lock, "npm", "package-lock.json npm-shrinkwrap.json"}, {lock, "pnpm", "pnpm-lock.yaml"}, {lock, "Yarn", "yarn.lock"}, {lock, "Bun", "bun.lock bun.lockb"},
	{lock, "Go modules", "go.sum"}, {lock, "Cargo", "Cargo.lock"}, {lock, "Poetry", "poetry.lock"}, {lock, "uv", "uv.lock"}, {lock, "Pipenv", "Pipfile.lock"},
	{lock, "Composer", "composer.lock"}, {lock, "Bundler", "Gemfile.lock"}, {lock, "Gradle", "gradle.lockfile"}, {lock, "Mix", "mix.lock"}, {lock, "pub", "pubspec.lock"},
	{version, "Node.js", ".nvmrc .node-version"}, {version, "Python", ".python-version runtime.txt"}, {version, "Ruby", ".ruby-version"}, {version, "Go", ".go-version"},
	{version, "Java", ".java-version"}, {version, "several", ".tool-versions"}, {version, "Rust", "rust-toolchain rust-toolchain.toml"}, {version, ".NET", "global.json"},
	{setting, "TypeScript", "tsconfig.json tsconfig.*.json jsconfig.json"}, {setting, "Vite", "vite.config.*"}, {setting, "webpack", "webpack.config.*"}, {setting, "Rollup", "rollup.config.*"},
	{setting, "Next.js", "next.config.*"}, {setting, "Nuxt", "nuxt.config.*"}, {setting, "Svelte", "svelte.config.*"}, {setting, "Babel", "babel.config.* .babelrc"},
	{setting, "Tailwind CSS", "tailwind.config.*"}, {setting, "PostCSS", "postcss.config.*"}, {setting, "Make", "Makefile makefile GNUmakefile"}, {setting, "Just", "justfile Justfile"},
	{setting, "Task", "Taskfile.yml Taskfile.yaml"}, {setting, "Gradle", "settings.gradle settings.gradle.kts gradle.properties"}, {setting, "Bazel", "BUILD.bazel WORKSPACE MODULE.bazel"},
	{setting, "Turborepo", "turbo.json"}, {setting, "Nx", "nx.json"}, {setting, "pnpm workspace", "pnpm-workspace.yaml"}, {setting, "Go workspace", "go.work"}, {setting, "Prisma", "schema.prisma"},
	{setting, "Alembic", "alembic.ini"}, {setting, "Django", "manage.py"}, {setting, "pre-commit", ".pre-commit-config.yaml"}, {setting, "buf", "buf.yaml buf.gen.yaml"},
	{style, "EditorConfig", ".editorconfig"}, {style, "Prettier", ".prettierrc .prettierrc.* prettier.config.*"}, {style, "ESLint", ".eslintrc .eslintrc.* eslint.config.*"},
	{style, "Biome", "biome.json biome.jsonc"}, {style, "Stylelint", ".stylelintrc .stylelintrc.* stylelint.config.*"}, {style, "golangci-lint", ".golangci.yml .golangci.yaml .golangci.toml"},
	{style, "rustfmt", "rustfmt.toml .rustfmt.toml"}, {style, "Clippy", "clippy.toml .clippy.toml"}, {style, "Ruff", "ruff.toml .ruff.toml"}, {style, "Flake8", ".flake8"},
	{style, "Pylint", ".pylintrc pylintrc"}, {style, "mypy", "mypy.ini .mypy.ini"}, {style, "Pyright", "pyrightconfig.json"}, {style, "RuboCop", ".rubocop.yml"},
	{style, "PHP_CodeSniffer", "phpcs.xml phpcs.xml.dist"}, {style, "PHPStan", "phpstan.neon phpstan.neon.dist"}, {style, "PHP CS Fixer", ".php-cs-fixer.php .php-cs-fixer.dist.php"},
	{style, "clang-format", ".clang-format"}, {style, "clang-tidy", ".clang-tidy"}, {style, "Checkstyle", "checkstyle.xml"}, {style, "detekt", "detekt.yml"}, {style, "SwiftLint", ".swiftlint.yml"},
	{tests, "Jest", "jest.config.*"}, {tests, "Vitest", "vitest.config.* vitest.workspace.*"}, {tests, "Playwright", "playwright.config.*"}, {tests, "Cypress", "cypress.config.*"},
	{tests, "Karma", "karma.conf.*"}, {tests, "Mocha", ".mocharc.*"}, {tests, "pytest", "pytest.ini conftest.py"}, {tests, "tox", "tox.ini"}, {tests, "nox", "noxfile.py"},
	{tests, "PHPUnit", "phpunit.xml phpunit.xml.dist"}, {tests, "RSpec", ".rspec"}, {tests, "nextest", "nextest.toml"}, {tests, "Coverage.py", ".coveragerc"},
	{tests, "nyc", ".nycrc .nycrc.*"}, {tests, "Codecov", "codecov.yml .codecov.yml"},
	{build, "GitHub Actions", ".github/workflows/*.yml .github/workflows/*.yaml"}, {build, "GitLab CI", ".gitlab-ci.yml"}, {build, "CircleCI", ".circleci/config.yml"},
	{build, "Jenkins", "Jenkinsfile"}, {build, "Azure Pipelines", "azure-pipelines.yml"}, {build, "Travis CI", ".travis.yml"}, {build, "Bitbucket Pipelines", "bitbucket-pipelines.yml"},
	{build, "Drone", ".drone.yml"}, {build, "Buildkite", ".buildkite/pipeline.yml"}, {build, "Google Cloud Build", "cloudbuild.yaml cloudbuild.yml"}, {build, "AppVeyor", "appveyor.yml"},
	{deploy, "Docker", "Dockerfile Dockerfile.* *.Dockerfile"}, {deploy, "Docker Compose", "docker-compose*.yml docker-compose*.yaml compose.yml compose.yaml"}, {deploy, "Vercel", "vercel.json"},
	{deploy, "Netlify", "netlify.toml"}, {deploy, "Fly.io", "fly.toml"}, {deploy, "Heroku", "Procfile"}, {deploy, "Render", "render.yaml"}, {deploy, "Serverless Framework", "serverless.yml"},
	{deploy, "Helm", "Chart.yaml"}, {deploy, "Kustomize", "kustomization.yaml"}, {deploy, "Terraform", "*.tf"}, {deploy, "Cloudflare Workers", "wrangler.toml wrangler.jsonc"},
	{deploy, "GoReleaser", ".goreleaser.yml .goreleaser.yaml"},
	{sample, "", ".env.example .env.sample .env.template .env.dist env.example"},
}

// matchingPattern returns the pattern that matches a file's name, nil if none does.
func matchingPattern(file string) *namePattern {
	base := path.Base(file)
	for i := range namePatterns {
		for pattern := range strings.FieldsSeq(namePatterns[i].pattern) {
			of := base
			if n := strings.Count(pattern, "/"); n > 0 {
				of = lastParts(file, n+1)
			}
			if ok, err := path.Match(pattern, of); ok && err == nil {
				return &namePatterns[i]
			}
		}
	}
	return nil
}

// lastParts returns the last n parts of a path.
func lastParts(file string, n int) string {
	parts := strings.Split(file, "/")
	return strings.Join(parts[max(0, len(parts)-n):], "/")
}
